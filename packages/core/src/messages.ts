export { isQuestion, reminderBegin } from "./messages/question.js";
export { queryOf, wordsOf } from "./messages/words.js";

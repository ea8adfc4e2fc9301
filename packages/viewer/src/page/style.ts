/** The style of the page: a scale of type and space, one accent, light and dark. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #14161a);
  --raised: light-dark(#f5f6f8, #1c1f25);
  --line: light-dark(#dfe2e8, #31353e);
  --text: light-dark(#1b1e24, #e8eaee);
  --quiet: light-dark(#5a616e, #a3aab7);
  --accent: light-dark(#4338ca, #a5b4fc);
  --accent-soft: light-dark(#e8e7fb, #2b2d52);
  --tool: light-dark(#0f766e, #5eead4);
  --agent: light-dark(#475569, #94a3b8);
  --error: light-dark(#b42318, #fda29b);
  --error-soft: light-dark(#fde8e6, #4a1d19);
  --waits: light-dark(#92400e, #fcd34d);
  --waits-soft: light-dark(#fdf0d5, #453312);
  --mark: light-dark(#fdf0d5, #453312);
  --small: 0.8125rem;
  --space-1: 0.25rem;
  --space-2: 0.5rem;
  --space-3: 0.75rem;
  --space-4: 1rem;
  --space-6: 1.5rem;
  font: 400 0.9375rem/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--ground); color: var(--text); }
a { color: inherit; text-decoration: none; }
h1, h2, h3, h4 { font-size: 1rem; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
main h1 { font-size: 1.25rem; }
h3, h4 { font-size: var(--small); color: var(--quiet); }
pre, code, dd { font: 0.8125rem/1.5 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
ul, ol { list-style: none; padding: 0; }
button, input { font: inherit; color: inherit; }
button, .button { background: var(--raised); border: 1px solid var(--line); border-radius: 0.375rem; padding: var(--space-1) var(--space-3); font-size: var(--small); cursor: pointer; }
button:hover, .button:hover { border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
mark { background: var(--mark); color: var(--waits); border-radius: 0.2rem; padding: 0 0.15rem; }
.quiet { color: var(--quiet); font-size: var(--small); }
.chip { font-size: 0.75rem; line-height: 1.4; padding: 0 var(--space-2); border-radius: 1rem; background: var(--raised); color: var(--quiet); white-space: nowrap; }
.chip.error { background: var(--error-soft); color: var(--error); }
.chip.waits { background: var(--waits-soft); color: var(--waits); }
.chip.open { background: var(--accent-soft); color: var(--accent); }
.page { display: grid; grid-template-columns: 20rem minmax(0, 1fr); height: 100vh; }
.runs { border-inline-end: 1px solid var(--line); padding: var(--space-4); display: flex; flex-direction: column; gap: var(--space-3); overflow: hidden; }
.runs > header { display: flex; gap: var(--space-2); justify-content: space-between; align-items: center; }
.unseen { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.runs input { width: 100%; padding: var(--space-2) var(--space-3); border: 1px solid var(--line); border-radius: 0.375rem; background: var(--raised); }
.runs ul { overflow-y: auto; margin: 0 calc(-1 * var(--space-2)); padding: 2px; }
.runs li { content-visibility: auto; contain-intrinsic-size: auto 3.5rem; }
.runs li + li { margin-top: 1px; }
.runs li a { display: block; padding: var(--space-2); border-radius: 0.375rem; }
.runs li a:hover { background: var(--raised); }
.runs li a[aria-current] { background: var(--accent-soft); }
.line { display: flex; gap: var(--space-2); align-items: baseline; flex-wrap: wrap; }
.who { max-width: 8rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.line strong { flex: 1; font-weight: 600; overflow-wrap: anywhere; }
.line time { font-size: var(--small); color: var(--quiet); }
.runs li a[aria-current] .quiet, .runs li a[aria-current] time { color: var(--text); }
.live { font-size: var(--small); color: var(--quiet); }
.live::before { content: ""; display: inline-block; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--quiet); margin-inline-end: var(--space-2); }
.live.live::before { background: var(--tool); }
.live.lost::before { background: var(--error); }
.run { overflow-y: auto; padding: var(--space-6); display: grid; gap: var(--space-4); align-content: start; min-width: 0; }
.run.with-panel { grid-template-columns: minmax(0, 1fr) minmax(18rem, 26rem); column-gap: var(--space-6); }
.run.with-panel > * { grid-column: 1; }
.run > header { display: flex; gap: var(--space-3); align-items: center; flex-wrap: wrap; }
.run > header h1 { flex: 1; min-width: 10rem; }
.actions { display: flex; gap: var(--space-2); flex-wrap: wrap; }
.back { display: none; color: var(--accent); }
.facts { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-6); }
.facts dt { color: var(--quiet); font-size: var(--small); }
.facts dd { font: inherit; overflow-wrap: anywhere; }
.places, .choice { display: flex; flex-wrap: wrap; gap: var(--space-1); font-size: var(--small); }
.places a, .choice a { padding: var(--space-1) var(--space-3); border-radius: 1rem; color: var(--quiet); }
.choice button { border-radius: 1rem; color: var(--quiet); }
.choice { border: 0; padding: 0; min-width: 0; }
.choice button { background: none; border-color: var(--line); padding: 0 var(--space-2); }
.choice button[aria-pressed="true"] { border-color: transparent; }
.places a:hover, .choice a:hover, .choice button:hover { background: var(--raised); }
.places a[aria-current], .choice a[aria-current], .choice button[aria-pressed="true"] { background: var(--accent-soft); color: var(--text); }
.views { display: flex; gap: var(--space-4); border-bottom: 1px solid var(--line); }
.views a { padding: var(--space-2) 0; color: var(--quiet); border-bottom: 2px solid transparent; }
.views a[aria-current] { color: var(--text); border-color: var(--accent); }
.scale { white-space: nowrap; display: flex; justify-content: space-between; margin-inline: 40% 5rem; }
.timeline { container-type: inline-size; }
.drawn { position: relative; }
.cuts { position: absolute; inset-block: 0; inset-inline: 40% 5rem; pointer-events: none; }
.cuts span { position: absolute; inset-block: 0; background: repeating-linear-gradient(135deg, transparent 0 5px, var(--line) 5px 6px); border-inline: 1px dashed var(--line); }
.part { padding: var(--space-3) 0 var(--space-1); border-top: 1px solid var(--line); margin-top: var(--space-2); }
li:first-child > .part { border: 0; margin: 0; padding-top: 0; }
.facts a { color: var(--accent); text-decoration: underline; }
.timeline li { content-visibility: auto; contain-intrinsic-size: auto 2rem; }
.row { position: relative; display: grid; grid-template-columns: 40% minmax(0, 1fr) 5rem; align-items: center; min-height: 2rem; border-radius: 0.375rem; --colour: var(--quiet); }
.row:hover { background: var(--raised); }
.row[aria-current] { background: var(--accent-soft); }
.row.model { --colour: var(--accent); }
.row.tool { --colour: var(--tool); }
.row.agent { --colour: var(--agent); }
.row.failed { --colour: var(--error); }
.name { display: flex; gap: var(--space-2); align-items: center; min-width: 0; padding-inline-end: var(--space-2); }
.name .text { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.dot { flex: none; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--colour); }
.track { position: relative; height: 0.75rem; }
.bar { position: absolute; inset-block: 0; background: var(--colour); border-radius: 2px; max-width: 100%; }
.first { position: absolute; inset-block: -3px; width: 2px; background: var(--text); }
.time { text-align: end; font-size: var(--small); color: var(--quiet); font-variant-numeric: tabular-nums; padding-inline-end: var(--space-2); }
.row[aria-current] .time { color: var(--text); }
.run > .panel { grid-column: 2; grid-row: 1 / span 10; border-inline-start: 1px solid var(--line); padding-inline-start: var(--space-6); display: grid; gap: var(--space-4); align-content: start; min-width: 0; }
.panel header { display: flex; gap: var(--space-2); align-items: start; }
.panel header h2 { flex: 1; }
.panel section { display: grid; gap: var(--space-2); }
.panel dl { display: grid; gap: var(--space-2); }
.panel dt { font-size: var(--small); color: var(--quiet); overflow-wrap: anywhere; }
.panel dd { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow-y: auto; }
.panel a { color: var(--accent); text-decoration: underline; }
.conversation { display: grid; gap: var(--space-4); max-width: 46rem; }
.conversation li { display: grid; gap: var(--space-2); border-inline-start: 3px solid var(--line); padding-inline-start: var(--space-4); }
.conversation li.user { border-color: var(--accent); }
.conversation li.tool { border-color: var(--tool); }
.conversation .text { white-space: pre-wrap; overflow-wrap: anywhere; }
.conversation .reasoning { color: var(--quiet); font-style: italic; }
.conversation .decisions { display: grid; gap: var(--space-1); font-size: var(--small); color: var(--quiet); overflow-wrap: anywhere; }
.conversation .decisions li { display: block; border: 0; padding: 0; }
.decisions a:hover { text-decoration: underline; }
.decisions .chip { white-space: normal; }
.call { background: var(--raised); border-radius: 0.375rem; padding: var(--space-2) var(--space-3); }
.audit { display: grid; gap: var(--space-3); max-width: 60rem; }
.note { border-inline-start: 3px solid var(--line); background: var(--raised); border-radius: 0.375rem; padding: var(--space-3) var(--space-4); display: grid; gap: var(--space-1); overflow-wrap: anywhere; }
.note p, .note li { font-size: var(--small); }
.note.good { border-color: var(--tool); }
.note.waits { border-color: var(--waits); }
.note.error { border-color: var(--error); background: var(--error-soft); }
.good { color: var(--tool); }
.note.good { color: inherit; }
.bad { color: var(--error); }
.record { border-bottom: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.25rem; }
.record summary { position: relative; display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-3); align-items: baseline; padding: var(--space-2); padding-inline-start: 1.75rem; cursor: pointer; border-radius: 0.375rem; }
.record summary:hover { background: var(--raised); }
.record summary::before { content: "›"; color: var(--quiet); position: absolute; inset-inline-start: var(--space-2); }
.record[open] summary::before { content: "⌄"; }
.record summary > * { overflow-wrap: anywhere; }
.record time { font-size: var(--small); color: var(--quiet); font-variant-numeric: tabular-nums; }
.record strong { min-width: 6rem; }
.opened { display: grid; gap: var(--space-2); padding: 0 var(--space-2) var(--space-4) 2rem; }
.opened pre { background: var(--raised); border-radius: 0.375rem; padding: var(--space-3); }
.proof { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: center; overflow-wrap: anywhere; font-size: var(--small); }
.plots { overflow-y: auto; padding: var(--space-6); display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-4); align-content: start; min-width: 0; }
.plots > header { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: center; }
.plots > header h1 { margin-inline-end: auto; }
.plots .grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: var(--space-4); }
.plot { border: 1px solid var(--line); border-radius: 0.375rem; padding: var(--space-3) var(--space-4); display: grid; gap: var(--space-2); align-content: start; min-width: 0; }
.plot figcaption { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); justify-content: space-between; }
.plot figcaption strong { font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-3); font-size: var(--small); color: var(--quiet); min-width: 0; }
.key { display: inline-flex; align-items: baseline; gap: var(--space-1); overflow-wrap: anywhere; min-width: 0; }
.key::before { content: ""; flex: none; width: 0.625rem; height: 0.625rem; border-radius: 2px; background: var(--colour); }
.drawing { display: grid; gap: var(--space-1); }
.drawing svg { width: 100%; height: 8rem; overflow: visible; display: block; }
.drawing .scale { margin: 0; }
.rule { stroke: var(--line); stroke-width: 1px; vector-effect: non-scaling-stroke; }
.stroke { stroke: var(--colour); fill: none; stroke-width: 2px; vector-effect: non-scaling-stroke; stroke-linecap: round; stroke-linejoin: round; }
.dots { stroke-width: 5px; }
.bars { fill: var(--colour); }
.hit { fill: transparent; }
.hit:hover { fill: var(--text); fill-opacity: 0.08; }
.c0 { --colour: light-dark(#4338ca, #a5b4fc); }
.c1 { --colour: light-dark(#0f766e, #5eead4); }
.c2 { --colour: light-dark(#b45309, #fcd34d); }
.c3 { --colour: light-dark(#be185d, #f9a8d4); }
.c4 { --colour: light-dark(#0369a1, #7dd3fc); }
.c5 { --colour: light-dark(#4d7c0f, #bef264); }
.c6 { --colour: light-dark(#64748b, #94a3b8); }
summary { cursor: pointer; }
.scrolled { overflow-x: auto; margin-top: var(--space-3); }
table { border-collapse: collapse; font-size: var(--small); font-variant-numeric: tabular-nums; }
th, td { text-align: end; padding: var(--space-1) var(--space-3); border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; color: var(--quiet); }
thead th { white-space: normal; overflow-wrap: anywhere; min-width: 4.5rem; max-width: 12rem; vertical-align: bottom; }
th:first-child { text-align: start; }
.approvals, .compare { overflow-y: auto; padding: var(--space-6); display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-6); align-content: start; min-width: 0; }
.approvals > header, .compare > header { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: center; }
.approvals > header h1, .compare > header h1 { margin-inline-end: auto; }
.compare h2 { margin-block-end: var(--space-2); }
.compare table { width: 100%; max-width: 60rem; table-layout: fixed; }
.compare th, .compare td { white-space: normal; overflow-wrap: break-word; padding-inline: var(--space-2); vertical-align: top; max-width: none; }
.compare th[scope="row"] { text-align: start; }
.compare th:first-child { width: 34%; }
.sides { display: grid; align-items: start; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--space-6); }
.side h2 a { text-decoration: underline; color: var(--accent); }
.request { border: 1px solid var(--line); border-radius: 0.375rem; padding: var(--space-4); display: grid; gap: var(--space-2); max-width: 46rem; overflow-wrap: anywhere; min-width: 0; }
.request h2 { font: 600 1rem/1.3 ui-monospace, monospace; }
.request a { color: var(--accent); text-decoration: underline; }
.question { white-space: pre-wrap; }
.arguments { background: var(--raised); border-radius: 0.375rem; padding: var(--space-3); }
.ways { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: start; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--ground); }
.way[open] { flex: 1 0 100%; }
.way > :not(summary) { margin-top: var(--space-2); }
.way summary { width: fit-content; list-style: none; }
.way label { display: block; font-size: var(--small); color: var(--quiet); }
.way textarea { display: block; margin-top: var(--space-1); }
textarea { width: 100%; font: 0.8125rem/1.5 ui-monospace, monospace; color: var(--text); background: var(--raised); border: 1px solid var(--line); border-radius: 0.375rem; padding: var(--space-2) var(--space-3); resize: vertical; }
.empty { padding: var(--space-6); display: grid; gap: var(--space-3); align-content: start; max-width: 46rem; }
.keys { display: grid; grid-template-columns: max-content 1fr; gap: var(--space-2) var(--space-4); align-items: baseline; }
.keys dd { font: inherit; }
kbd { font: 0.8125rem/1.5 ui-monospace, monospace; background: var(--raised); border: 1px solid var(--line); border-radius: 0.25rem; padding: 0 var(--space-2); }
.empty h2 { margin-top: var(--space-3); }
.faint { color: var(--quiet); }
.empty pre { background: var(--raised); border-radius: 0.375rem; padding: var(--space-3); }
@media (max-width: 60rem) {
  .run.with-panel { grid-template-columns: minmax(0, 1fr); }
  .sides { grid-template-columns: minmax(0, 1fr); }
  .run > .panel { grid-column: 1; grid-row: auto; border: 0; border-block-start: 1px solid var(--line); padding: var(--space-4) 0 0; }
}
@media (max-width: 44rem) {
  .page { grid-template-columns: minmax(0, 1fr); height: auto; }
  .page.with-main .runs { display: none; }
  .page:not(.with-main):has(.runs ul) .empty:not(.problem) { display: none; }
  .runs { border: 0; }
  .back { display: inline; }
  .run { padding: var(--space-4); }
  .compare thead .quiet { display: none; }
  .approvals, .compare, .plots { padding: var(--space-4); }
}
@container (max-width: 44rem) {
  .row { grid-template-columns: minmax(0, 1fr) 5rem; row-gap: 2px; padding-block: var(--space-1) var(--space-2); }
  .track { grid-column: 1 / -1; grid-row: 2; }
  .scale { margin-inline: 0; }
  .cuts { inset-inline: 0; }
}
`;

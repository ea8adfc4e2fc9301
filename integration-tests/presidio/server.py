"""Presidio's analyzer, with an NLP engine that knows no names, behind the REST API of Presidio's own image.

Writes its port to standard output, and ends with its standard input.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import spacy
import tldextract.tldextract
from presidio_analyzer import AnalyzerEngine, PatternRecognizer, RecognizerRegistry
from presidio_analyzer.nlp_engine import SpacyNlpEngine

# The list of public suffixes comes with the package: nothing is fetched.
tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=())


def make_analyzer():
    nlp = SpacyNlpEngine()
    nlp.nlp = {"en": spacy.blank("en")}
    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"], nlp_engine=nlp)
    registry.add_recognizer(
        PatternRecognizer(supported_entity="PERSON", deny_list=["Ada Lovelace", "Zoë 😀"])
    )
    return AnalyzerEngine(registry=registry, nlp_engine=nlp, supported_languages=["en"])


class Handler(BaseHTTPRequestHandler):
    analyzer = make_analyzer()

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path != "/analyze":
            return self.answer(404, {"error": "not found"})
        try:
            results = self.analyzer.analyze(
                text=request["text"],
                language=request["language"],
                entities=request.get("entities"),
                score_threshold=request.get("score_threshold"),
            )
        except Exception as error:
            return self.answer(500, {"error": str(error)})
        fields = ("entity_type", "start", "end", "score")
        return self.answer(200, [{name: getattr(result, name) for name in fields} for result in results])

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()

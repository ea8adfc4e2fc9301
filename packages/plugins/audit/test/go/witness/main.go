// A witness after C2SP tlog-witness, on golang.org/x/mod/sumdb: it knows nothing of suite-audit.
//
//	go run ./witness NAME VERIFIER-KEY
//
// It prints its own verifier key and URL, and remembers the last head of the one log in memory.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const cosignature = 4

type witness struct {
	name string
	key  ed25519.PrivateKey
	log  note.Verifier
	mu   sync.Mutex
	last tlog.Tree
}

func main() {
	if len(os.Args) != 3 {
		panic("NAME VERIFIER-KEY")
	}
	log, err := note.NewVerifier(os.Args[2])
	must(err)
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(err)
	w := &witness{name: os.Args[1], key: private, log: log}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	encoded := base64.StdEncoding.EncodeToString(append([]byte{cosignature}, public...))
	fmt.Printf("%s+%08x+%s http://%s\n", w.name, w.id(), encoded, listener.Addr())
	http.HandleFunc("POST /add-checkpoint", w.add)
	must(http.Serve(listener, nil))
}

func (w *witness) id() uint32 {
	public := w.key.Public().(ed25519.PublicKey)
	hash := sha256.Sum256(append([]byte(w.name+"\n\x04"), public...))
	return binary.BigEndian.Uint32(hash[:4])
}

func (w *witness) add(out http.ResponseWriter, in *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	body, err := io.ReadAll(in.Body)
	must(err)
	head, checkpoint, found := strings.Cut(string(body), "\n\n")
	lines := strings.Split(head, "\n")
	old, err := strconv.ParseInt(strings.TrimPrefix(lines[0], "old "), 10, 64)
	if !found || err != nil || len(lines) > 64 {
		out.WriteHeader(http.StatusBadRequest)
		return
	}
	if !strings.HasPrefix(checkpoint, w.log.Name()+"\n") {
		out.WriteHeader(http.StatusNotFound)
		return
	}
	opened, err := note.Open([]byte(checkpoint), note.VerifierList(w.log))
	if err != nil {
		out.WriteHeader(http.StatusForbidden)
		return
	}
	text := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(text[1], 10, 64)
	must(err)
	root, err := tlog.ParseHash(text[2])
	must(err)
	switch {
	case old > size:
		out.WriteHeader(http.StatusBadRequest)
	case old != w.last.N:
		out.Header().Set("Content-Type", "text/x.tlog.size")
		out.WriteHeader(http.StatusConflict)
		fmt.Fprintf(out, "%d\n", w.last.N)
	case !w.consistent(old, size, root, lines[1:]):
		out.WriteHeader(http.StatusUnprocessableEntity)
	default:
		w.last = tlog.Tree{N: size, Hash: root}
		fmt.Fprint(out, w.cosign(opened.Text))
	}
}

func (w *witness) consistent(old, size int64, root tlog.Hash, lines []string) bool {
	if old == 0 {
		return len(lines) == 0
	}
	if old == size {
		return len(lines) == 0 && root == w.last.Hash
	}
	var proof tlog.TreeProof
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return false
		}
		proof = append(proof, hash)
	}
	return tlog.CheckTree(proof, size, root, old, w.last.Hash) == nil
}

func (w *witness) cosign(text string) string {
	now := uint64(time.Now().Unix())
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", now, text)
	signature := binary.BigEndian.AppendUint32(nil, w.id())
	signature = binary.BigEndian.AppendUint64(signature, now)
	signature = append(signature, ed25519.Sign(w.key, []byte(message))...)
	return fmt.Sprintf("— %s %s\n", w.name, base64.StdEncoding.EncodeToString(signature))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

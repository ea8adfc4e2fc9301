// Holds what suite-audit exports against golang.org/x/mod/sumdb, which knows nothing of it.
//
//	go run . DIRECTORY PUBLIC-KEY [PROOF [ANCHOR]]...
//	go run . note VERIFIER-KEY CHECKPOINT
//
// DIRECTORY is one tiled log. A proof is a tlog-proof, or a consistency proof and then the anchor that it is about.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	if len(os.Args) < 3 {
		fail("go run . DIRECTORY PUBLIC-KEY [PROOF [ANCHOR]]...")
	}
	if os.Args[1] == "note" {
		openNote(os.Args[2], read(os.Args[3]))
		return
	}
	dir, key := os.Args[1], publicKey(os.Args[2])
	size := checkTiles(dir, key)
	fmt.Printf("tiles: %d records\n", size)
	for rest := os.Args[3:]; len(rest) > 0; rest = rest[1:] {
		head, hashes, checkpoint := readProof(rest[0])
		tree := openCheckpoint(checkpoint, key)
		if head[0] == "c2sp.org/tlog-proof@v1" {
			record := decode(strings.TrimPrefix(head[1], "extra "))
			index := number(strings.TrimPrefix(head[2], "index "))
			must(tlog.CheckRecord(hashes, tree.N, tree.Hash, index, tlog.RecordHash(record)))
			fmt.Printf("inclusion: record %d of %d\n", index, tree.N)
			continue
		}
		rest = rest[1:]
		old := openCheckpoint(read(rest[0]), key)
		if number(strings.TrimPrefix(head[0], "old ")) != old.N {
			fail("the proof is about another size than the anchor")
		}
		must(tlog.CheckTree(hashes, tree.N, tree.Hash, old.N, old.Hash))
		fmt.Printf("consistency: %d in %d\n", old.N, tree.N)
	}
}

// openNote opens a signed note with a verifier key as it is printed.
func openNote(key string, text []byte) {
	verifier, err := note.NewVerifier(key)
	must(err)
	opened, err := note.Open(text, note.VerifierList(verifier))
	must(err)
	fmt.Printf("note: %d signature by %s\n", len(opened.Sigs), opened.Sigs[0].Name)
}

// checkTiles holds every record against its leaf, every tile against the root, and the root against the checkpoint.
func checkTiles(dir string, key ed25519.PublicKey) int64 {
	tree := openCheckpoint(read(filepath.Join(dir, "checkpoint")), key)
	hashes := tlog.TileHashReader(tree, tiles{dir})
	root, err := tlog.TreeHash(tree.N, hashes)
	must(err)
	if root != tree.Hash {
		fail("the root is another than the checkpoint's")
	}
	indexes := make([]int64, tree.N)
	for i := range indexes {
		indexes[i] = tlog.StoredHashIndex(0, int64(i))
	}
	leaves, err := hashes.ReadHashes(indexes)
	must(err)
	var n int64
	for bundle := int64(0); bundle*256 < tree.N; bundle++ {
		width := int(min(256, tree.N-bundle*256))
		path := tlog.Tile{H: 8, L: -1, N: bundle, W: width}.Path()
		data := read(filepath.Join(dir, strings.Replace(path, "tile/8/data/", "tile/entries/", 1)))
		for ; len(data) > 0; n++ {
			length := int(binary.BigEndian.Uint16(data))
			if tlog.RecordHash(data[2:2+length]) != leaves[n] {
				fail("record %d is not the leaf", n)
			}
			data = data[2+length:]
		}
	}
	if n != tree.N {
		fail("%d records, and the checkpoint says %d", n, tree.N)
	}
	return n
}

// tiles reads C2SP tlog-tiles, whose paths leave out the height, 8.
type tiles struct{ dir string }

func (t tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		found = append(found, read(filepath.Join(t.dir, path)))
	}
	return found, nil
}

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// openCheckpoint verifies the signature, under the origin as the name of the key.
func openCheckpoint(text []byte, key ed25519.PublicKey) tlog.Tree {
	lines := strings.SplitN(string(text), "\n", 4)
	if len(lines) < 4 {
		fail("not a checkpoint")
	}
	verifierKey, err := note.NewEd25519VerifierKey(lines[0], key)
	must(err)
	verifier, err := note.NewVerifier(verifierKey)
	must(err)
	_, err = note.Open(text, note.VerifierList(verifier))
	must(err)
	root, err := tlog.ParseHash(lines[2])
	must(err)
	return tlog.Tree{N: number(lines[1]), Hash: root}
}

// readProof splits a proof into what stands before its hashes, the hashes, and the checkpoint.
func readProof(path string) (head []string, hashes []tlog.Hash, checkpoint []byte) {
	first, note, _ := strings.Cut(string(read(path)), "\n\n")
	lines := strings.Split(first, "\n")
	split := 1
	if lines[0] == "c2sp.org/tlog-proof@v1" {
		split = 3
	}
	for _, line := range lines[split:] {
		hash, err := tlog.ParseHash(line)
		must(err)
		hashes = append(hashes, hash)
	}
	return lines[:split], hashes, []byte(note)
}

// publicKey reads the first line of key.pub: name+id+base64(type, key).
func publicKey(path string) ed25519.PublicKey {
	line, _, _ := strings.Cut(string(read(path)), "\n")
	verifier, err := note.NewVerifier(line)
	must(err)
	parts := strings.SplitN(line, "+", 3)
	fmt.Printf("key: %s\n", verifier.Name())
	return ed25519.PublicKey(decode(parts[2])[1:])
}

func read(path string) []byte {
	data, err := os.ReadFile(path)
	must(err)
	return data
}

func decode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	must(err)
	return data
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	must(err)
	return n
}

func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(1)
}

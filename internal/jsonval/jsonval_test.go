package jsonval

import "testing"

func TestSmoke(t *testing.T) {
	v, err := ParseString("{\"b\":1e21,\"2\":[1.0,-0],\"b\":\"\\ud800x\\n\",\"1\":{}}")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(AppendJSON(nil, v, "", "")), `{"1":{},"2":[1,0],"b":"\ud800x\n"}`; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
}

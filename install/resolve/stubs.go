package resolve

import "weft/internal/jsonval"

func (b *builder) unpackBundle(n *Node) error                 { return nil }
func (b *builder) completePlatforms() error                   { return nil }
func legacyDependencies(t *Tree, o LockOptions) jsonval.Value { return jsonval.Value{} }

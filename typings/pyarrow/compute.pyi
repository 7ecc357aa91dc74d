# Likewise.

from pyarrow import Array

def replace_with_mask(values: Array, mask: Array, replacements: Array) -> Array: ...

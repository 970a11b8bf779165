import numpy as np
import numpy.typing as npt

_Ids = npt.NDArray[np.int32]
_Offsets = npt.NDArray[np.int64]

class Vocabulary:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add(self, text: bytes) -> tuple[_Ids, _Offsets]: ...
    def encode(self, text: bytes) -> tuple[_Ids, _Offsets]: ...

class NgramIndex:
    def __init__(
        self,
        source_ids: _Ids,
        source_offsets: _Offsets,
        reference_ids: _Ids,
        reference_offsets: _Offsets,
        references_of_sentence: _Offsets,
        order: int,
        pooled: bool,
        threads: int,
    ) -> None: ...
    def count(self, ids: _Ids, offsets: _Offsets, threads: int) -> npt.NDArray[np.int64]: ...

# SPDX-License-Identifier: Apache-2.0
"""Our own kernels as one more arm, through the library kernels_cuda_arm (suites/cuda/kernels_arm.h)."""
import ctypes
import os


class Library:
    """OSError where `path` is no such library."""

    def __init__(self, path):
        self._c = ctypes.CDLL(os.path.abspath(path))
        self._c.kernels_arm_bind.restype = ctypes.c_void_p
        self._c.kernels_arm_bind.argtypes = [ctypes.c_char_p, ctypes.c_int]
        self._c.kernels_arm_launch.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
        self._c.kernels_arm_check.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self._c.kernels_arm_free.argtypes = [ctypes.c_void_p]
        self._c.kernels_arm_free.restype = None
        self._c.kernels_arm_error.restype = ctypes.c_char_p

    def bind(self, name, sets):
        """The case of that name with so many sets of buffers; RuntimeError with the reason."""
        handle = self._c.kernels_arm_bind(name.encode(), sets)
        if not handle:
            raise RuntimeError(self._error())
        return Case(self._c, handle, self._error)

    def _error(self):
        return self._c.kernels_arm_error().decode(errors="replace")


class Case:
    """Of a `with`: its buffers go with it."""

    def __init__(self, library, handle, error):
        self._c, self._handle, self._error = library, handle, error

    def launch(self, index, stream):
        """Queues the call on set `index`; stream: the number of a CUDA stream."""
        if self._c.kernels_arm_launch(self._handle, index, stream) != 0:
            raise RuntimeError(self._error())

    def check(self, index):
        """What is wrong with the results of set `index`; empty: nothing."""
        return self._error() if self._c.kernels_arm_check(self._handle, index) != 0 else ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._c.kernels_arm_free(self._handle)
        self._handle = None

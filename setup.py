"""Declare the one compiled module; everything else is in pyproject.toml."""

from __future__ import annotations

import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# No fused multiply-add: both forms of a kernel must round alike on every machine. Nobody looks at
# floating-point exceptions, and a choice without a branch is worth much.
MSVC_FLAGS = ["/O2", "/fp:precise"]
UNIX_FLAGS = ["-O3", "-ffp-contract=off", "-fno-trapping-math", "-fno-math-errno"]

# A free-threaded interpreter has no stable ABI: there the module is built for that version alone.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")


class BuildWithFlags(build_ext):
    """Add the flags of whichever compiler was found."""

    def build_extension(self, ext: Extension) -> None:
        """Build one extension with its flags."""
        ext.extra_compile_args = MSVC_FLAGS if self.compiler.compiler_type == "msvc" else UNIX_FLAGS
        super().build_extension(ext)


setup(
    ext_modules=[
        Extension(
            "assay._kernels._compiled",
            sources=["src/assay/_kernels/_compiled.c"],
            depends=["src/assay/_kernels/_json.h", "src/assay/_kernels/_text.h"],
            define_macros=[("Py_LIMITED_API", "0x030b0000")] if LIMITED else [],
            py_limited_api=LIMITED,
            optional=True,  # without a compiler the NumPy form serves
        ),
    ],
    cmdclass={"build_ext": BuildWithFlags},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else {},
)

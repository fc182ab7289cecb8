"""pip install . --no-build-isolation: builds entente._core with CMake, and takes the models along.

ENTENTE_BUILD=FOLDER takes a CMake build that is there (configured with -DENTENTE_PYTHON=ON and position-independent code)
instead of making one.
"""
import os
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.abspath(__file__))


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        folder = os.path.abspath(os.environ.get("ENTENTE_BUILD") or self.build_temp)
        if not os.environ.get("ENTENTE_BUILD"):
            subprocess.check_call(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                                   "-DENTENTE_TESTS=OFF", "-DENTENTE_PYTHON=ON", "-DENTENTE_PCH=ON",
                                   "-DCMAKE_POSITION_INDEPENDENT_CODE=ON", "-DPython3_EXECUTABLE=" + sys.executable])
        subprocess.check_call(["cmake", "--build", folder, "--target", "entente_python"])
        place = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        built = [f for f in os.listdir(os.path.join(folder, "python", "entente")) if f.endswith(".so")]
        shutil.copy(os.path.join(folder, "python", "entente", built[0]), place)
        models = os.path.join(os.path.dirname(place), "models")
        os.makedirs(models, exist_ok=True)
        for name in os.listdir(os.path.join(ROOT, "models")):
            if name.endswith(".model") or name == "NOTICE.md":
                shutil.copy(os.path.join(ROOT, "models", name), models)


PLACE = os.path.join(ROOT, "build", "pip")  # build/ is CMake's
os.makedirs(PLACE, exist_ok=True)
setup(packages=["entente"], package_dir={"entente": "python/entente"}, package_data={"entente": ["py.typed", "*.pyi"]},
      ext_modules=[Extension("entente._core", [])], cmdclass={"build_ext": CMakeBuild},
      options={"build": {"build_base": PLACE}, "egg_info": {"egg_base": PLACE}})

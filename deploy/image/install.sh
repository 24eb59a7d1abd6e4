#!/bin/sh
# Usage: install.sh FOLDER, in a checkout
#
# Installs the service into a new folder: exactly what requirements/runtime.txt locks, as wheels, and
# our own two distributions as wheels built here. Needs Python with its venv module, and no compiler.
set -eu
folder=$1
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

python3 -m venv "$build/venv"
pip="$build/venv/bin/python -m pip --disable-pip-version-check --no-input"
$pip install --quiet --require-hashes --only-binary :all: --requirement requirements/runtime.txt
$pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$build/wheels" clients/python .

# What has run to build stays behind, and so does pip.
python3 -m venv --without-pip "$folder"
pip="$pip --python $folder/bin/python"
$pip install --quiet --require-hashes --only-binary :all: --requirement requirements/runtime.txt
$pip install --quiet --no-index --no-deps "$build"/wheels/*.whl
$pip uninstall --quiet --yes hatchling pathspec pluggy trove-classifiers
$pip check

"""`colt-express descriptors`: the API's schema, as a file for other programs."""

from __future__ import annotations

from typing import BinaryIO

import click


@click.command()
@click.option(
    "--output",
    type=click.File("wb", lazy=True),
    default="-",
    help="Where to write it; standard output by default.",
)
def descriptors(*, output: BinaryIO) -> None:
    """Write the API's schema as a FileDescriptorSet, which Envoy, grpcurl and others read."""
    from coltexpress_server.api.descriptors import descriptor_set

    output.write(descriptor_set().SerializeToString(deterministic=True))

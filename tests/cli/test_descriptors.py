from __future__ import annotations

from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool

from tests.cli.conftest import Run


def test_the_schema_stands_for_itself(colt_express: Run, tmp_path: Path) -> None:
    path = tmp_path / "api.binpb"
    assert colt_express("descriptors", "--output", str(path)).status == 0
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString(path.read_bytes()).file:
        pool.Add(file)  # fails where something is missing that it imports
    method = pool.FindMethodByName("coltexpress.v1.GameService.GetGame")
    assert b"/v1/{name=games/*}" in method.GetOptions().SerializeToString()
    assert pool.FindMessageTypeByName("google.rpc.ErrorInfo").fields

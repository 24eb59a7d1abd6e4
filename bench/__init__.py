"""What `make bench` measures.

`engine` measures the rules alone, `service` moves through gRPC and the store, `watching` those who
watch; `scripts` are the games they play, `tables` prints. `bots` is measured when asked for.
Figures hold for one machine in one run; what is to be compared is measured in the same run.
"""

"""PyTorch Geometric's PR-BCD and GR-BCD on a two-layer GCN whose weights rgnn trained: the same graph, weights, test nodes and budget.

  python3 prbcd_pyg.py GRAPH.npz SEED WEIGHTS.safetensors [--epsilons .05,.1] [--attacks prbcd,grbcd] [--block 250000] [--epochs 500]

GRAPH.npz holds adj_matrix/attr_matrix in CSR parts and labels, as the published cora_ml.npz does. Prints one JSON line per attack.
Needs torch, torch_geometric, numpy and scipy.
"""
import argparse
import json
import struct
import time

import numpy as np
import scipy.sparse as sp
import torch
from scipy.sparse.csgraph import connected_components
from torch_geometric.contrib.nn import GRBCDAttack, PRBCDAttack
from torch_geometric.nn import GCNConv


def load_graph(path):
    """Adjacency (undirected, no self loops, largest component), features, labels."""
    z = np.load(path, allow_pickle=False)

    def csr(prefix):
        stem = next(k[: -len("data")] for k in z.files if k.startswith(prefix) and k.endswith("data"))
        return sp.csr_matrix((z[stem + "data"], z[stem + "indices"], z[stem + "indptr"]), shape=tuple(z[stem + "shape"]))

    A, X, y = csr("adj"), csr("attr"), np.asarray(z["labels"]).astype(int)
    A.data[:] = 1
    A = ((A + A.T) > 0).astype(np.float32).tolil()
    A.setdiag(0)
    A = A.tocsr()
    A.eliminate_zeros()
    _, component = connected_components(A, directed=False)
    keep = np.flatnonzero(component == np.bincount(component).argmax())
    return A[keep][:, keep].tocsr(), X[keep].astype(np.float32), y[keep]


def test_nodes(y, seed, per_class=20):
    """Everything beyond 20 training and 20 validation nodes per class, in the published order of draws."""
    rng = np.random.RandomState(seed)
    drawn = [rng.permutation(np.flatnonzero(y == c))[: 2 * per_class] for c in range(y.max() + 1)]
    return np.setdiff1d(np.arange(len(y)), np.hstack(drawn))


def load_weights(path):
    raw = open(path, "rb").read()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8 : 8 + size])
    header.pop("__metadata__", None)
    at = lambda t: np.frombuffer(raw, np.float32, int(np.prod(t["shape"])), 8 + size + t["data_offsets"][0]).reshape(t["shape"])
    return {name: torch.tensor(at(t).copy()) for name, t in header.items()}


class GCN(torch.nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.convs = torch.nn.ModuleList()
        for l in range(2):
            W = weights[f"convs.{l}.weight"]
            conv = GCNConv(*W.shape)
            conv.lin.weight.data, conv.bias.data = W.T.contiguous(), weights[f"convs.{l}.bias"]
            self.convs.append(conv)

    def forward(self, x, edge_index, edge_weight=None):
        return self.convs[1](self.convs[0](x, edge_index, edge_weight).relu(), edge_index, edge_weight)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph")
    parser.add_argument("seed", type=int)
    parser.add_argument("weights")
    parser.add_argument("--epsilons", default=".05,.1,.25,.5,1")
    parser.add_argument("--attacks", default="prbcd,grbcd")
    parser.add_argument("--block", type=int, default=250_000)
    parser.add_argument("--epochs", type=int, default=500)
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    A, X, y = load_graph(args.graph)
    coo = A.tocoo()
    edges = torch.tensor(np.stack([coo.row, coo.col])).long().to(args.device)
    x, labels = torch.tensor(X.toarray()).to(args.device), torch.tensor(y).to(args.device)
    attacked = torch.tensor(test_nodes(y, args.seed)).to(args.device)
    model = GCN(load_weights(args.weights)).to(args.device).eval().requires_grad_(False)

    def accuracy(edge_index):
        return float((model(x, edge_index)[attacked].argmax(1) == labels[attacked]).float().mean())

    for epsilon in map(float, args.epsilons.split(",")):
        for name in args.attacks.split(","):
            torch.manual_seed(args.seed)
            start = time.time()
            common = {"block_size": args.block, "epochs": args.epochs, "log": False}
            if name == "prbcd":
                attack = PRBCDAttack(model, epochs_resampling=args.epochs * 4 // 5, loss="tanh_margin", **common)
            else:
                attack = GRBCDAttack(model, loss="masked", **common)
            perturbed, flips = attack.attack(x, edges, labels, budget=int(epsilon * A.nnz // 2), idx_attack=attacked)
            print(json.dumps({"system": "pyg", "attack": name, "seed": args.seed, "epsilon": epsilon, "clean": round(accuracy(edges), 4),
                              "adversarial": round(accuracy(perturbed), 4), "flips": int(flips.size(1)), "seconds": round(time.time() - start, 2)}), flush=True)


if __name__ == "__main__":
    main()

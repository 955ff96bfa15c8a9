"""Votes of a two-layer GCN or Soft Median GDC on noisy graphs in a plain PyTorch loop: what one would write without thinking about speed, on a CPU
or GPU.

  python3 certify_torch.py GRAPH.npz WEIGHTS.safetensors [--model gcn] [--samples 1000] [--add .001] [--delete .4] [--device cuda]

GRAPH.npz and WEIGHTS.safetensors as in prbcd_pyg.py beside it; weights of `rgnn train --model gcn --binary-features`, or of soft-median-gdc, which
is evaluated with the defaults of rgnn (alpha .15, k 64, temperature .2). Every absent pair becomes an edge with one probability, every edge
vanishes with another. X W of the first layer is computed once, as rgnn does; PageRank is a dense inverse. Prints one JSON line with the samples
per second after a warm-up, and the share of nodes whose majority is that of the clean graph. Needs what prbcd_pyg.py needs.
"""
import argparse
import json
import time

import numpy as np
import torch

from prbcd_pyg import load_graph, load_weights


def noisy_edges(upper, n, add, delete, device):
    """Upper-triangular pairs of a noisy graph: kept edges and added pairs, each pair once."""
    kept = upper[:, torch.rand(upper.shape[1], device=device) >= delete]
    count = int(torch.distributions.Binomial(n * (n - 1) // 2, torch.tensor(add)).sample().item())
    pairs = torch.randint(0, n, (2, int(2.2 * count) + 16), device=device)
    pairs = pairs[:, pairs[0] < pairs[1]][:, :count]
    added = pairs[0] * n + pairs[1]
    added = added[~torch.isin(added, upper[0] * n + upper[1])]  # an edge stays or vanishes; it is not added
    codes = torch.unique(torch.cat([added, kept[0] * n + kept[1]]))
    return torch.stack([codes // n, codes % n])


def normalised(pairs, n, device):
    loops = torch.arange(n, device=device)
    rows = torch.cat([pairs[0], pairs[1], loops])
    cols = torch.cat([pairs[1], pairs[0], loops])
    scale = torch.bincount(rows, minlength=n).float().rsqrt()
    return torch.sparse_coo_tensor(torch.stack([rows, cols]), scale[rows] * scale[cols], (n, n)).coalesce()


def page_rank(pairs, n, device, alpha=0.15, k=64):
    """The matrix of GDC: columns and weights of the k largest entries of each row of PageRank, normalised by row and by column sums."""
    step = torch.eye(n, device=device) - (1 - alpha) * normalised(pairs, n, device).to_dense()
    weights, columns = (alpha * torch.linalg.inv(step)).topk(k, dim=1)
    weights = weights / weights.sum(1, keepdim=True)
    sums = torch.zeros(n, device=device).scatter_add_(0, columns.flatten(), weights.flatten())
    return columns, weights * (sums[:, None] * sums[columns]).rsqrt()


def soft_median(columns, weights, rows, temperature=0.2):
    """Neighbours weighed by how close they are to their weighted median in each dimension, which is found by sorting."""
    neighbours = rows[columns]  # [n, k, d]
    order = neighbours.argsort(dim=1)
    total = weights.sum(1)
    cumulated = weights[:, :, None].expand_as(neighbours).gather(1, order).cumsum(1)
    at = (cumulated < total[:, None, None] / 2).sum(1, keepdim=True).clamp(max=weights.shape[1] - 1)
    median = neighbours.gather(1, order.gather(1, at))
    distance = (neighbours - median).norm(dim=2) / rows.shape[1] ** 0.5
    shares = torch.softmax(-distance / temperature, dim=1) * weights
    shares = shares / shares.sum(1, keepdim=True)
    return total[:, None] * (shares[:, :, None] * neighbours).sum(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph")
    parser.add_argument("weights")
    parser.add_argument("--model", choices=["gcn", "soft-median-gdc"], default="gcn")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--add", type=float, default=0.001)
    parser.add_argument("--delete", type=float, default=0.4)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    device = torch.device(args.device)
    A, X, _ = load_graph(args.graph)
    X.data[:] = 1
    n = A.shape[0]
    w = {name: tensor.to(device) for name, tensor in load_weights(args.weights).items()}
    features = torch.tensor(X.toarray(), device=device)
    upper = torch.tensor(np.stack(A.nonzero()), device=device)
    upper = upper[:, upper[0] < upper[1]]
    first = features @ w["convs.0.weight"]

    def mixing(pairs):
        """How a layer mixes the rows of neighbours in this graph."""
        if args.model == "gcn":
            P = normalised(pairs, n, device)
            return lambda rows: torch.sparse.mm(P, rows)
        columns, weights = page_rank(pairs, n, device)
        return lambda rows: soft_median(columns, weights, rows)

    def classes(pairs):
        mix = mixing(pairs)
        hidden = torch.relu(mix(first) + w["convs.0.bias"])
        return (mix(hidden @ w["convs.1.weight"]) + w["convs.1.bias"]).argmax(1)

    votes = torch.zeros(n, w["convs.1.bias"].shape[0], dtype=torch.long, device=device)
    nodes = torch.arange(n, device=device)
    with torch.no_grad():
        clean = classes(upper)
        for _ in range(20):
            classes(noisy_edges(upper, n, args.add, args.delete, device))
        if device.type == "cuda":
            torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(args.samples):
            votes[nodes, classes(noisy_edges(upper, n, args.add, args.delete, device))] += 1
        if device.type == "cuda":
            torch.cuda.synchronize()
        seconds = time.perf_counter() - begin
    agreement = (votes.argmax(1) == clean).float().mean().item()
    print(json.dumps({"model": args.model, "device": str(device), "nodes": n, "samples": args.samples, "samplesPerSecond": args.samples / seconds, "agreement": agreement}))


if __name__ == "__main__":
    main()

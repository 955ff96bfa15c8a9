"""PyTorch Geometric's GAT, trained and attacked as ours is: does the layer that the paper used reach the published accuracies?

  python3 gat_pyg.py cora_ml.npz citeseer.npz [--flips FOLDER] [--repeats 6]

Splits, training and DICE follow the paper; the layer is GATConv. FOLDER may hold flips of `rgnn attack --out`, named
DATASET-SEED-EPSILON.csv, such as cora_ml-0-0.05.csv. Needs torch, torch_geometric and scipy. Prints mean accuracies on the test nodes
over seeds 0, 1, 5 and so many initial weights for each.
"""
import argparse
import csv
import os

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
import torch_geometric
from torch_geometric.nn import GATConv

SEEDS = (0, 1, 5)
DICE = (0.05, 0.1, 0.2)
FLIPS = (0.05, 0.1)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def load(path):
    """Edges (i < j) of the largest component without directions and loops, features, labels."""
    file = np.load(path, allow_pickle=True)
    part = lambda name: [file[f"{name}.{field}"] for field in ("data", "indices", "indptr")]
    directed = sp.csr_matrix(tuple(part("adj_matrix")), shape=file["adj_matrix.shape"])
    features = sp.csr_matrix(tuple(part("attr_matrix")), shape=file["attr_matrix.shape"])
    adjacency = sp.triu(directed + directed.T, 1)
    _, component = sp.csgraph.connected_components(adjacency, directed=False)
    kept = np.flatnonzero(component == np.bincount(component).argmax())
    rows, cols = (adjacency + adjacency.T).tocsr()[kept][:, kept].nonzero()
    edges = {(int(i), int(j)) for i, j in zip(rows, cols) if i < j}
    return edges, features[kept].toarray().astype(np.float32), file["labels"][kept].astype(np.int64)


def split(labels, seed):
    """20 nodes of each class to train, 20 to validate, the rest to test."""
    random = np.random.RandomState(seed)
    shuffled = [random.permutation(np.flatnonzero(labels == c)) for c in range(labels.max() + 1)]
    train = random.permutation(np.concatenate([nodes[:20] for nodes in shuffled]))
    val = random.permutation(np.concatenate([nodes[20:40] for nodes in shuffled]))
    return train, val, np.setdiff1d(np.arange(len(labels)), np.concatenate((train, val)))


class Gat(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.first, self.second = GATConv(features, 64), GATConv(64, classes)

    def forward(self, x, edge_index):
        return self.second(F.dropout(F.relu(self.first(x, edge_index)), 0.5, self.training), edge_index)


def train(model, x, edge_index, y, train_nodes, val_nodes):
    """Keeps the weights behind the epoch with the least validation loss, which is that of the training pass."""
    adam = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-3)
    least, best_epoch, best = np.inf, 0, None
    for epoch in range(3000):
        adam.zero_grad()
        logits = model.train()(x, edge_index)
        val_loss = F.cross_entropy(logits[val_nodes], y[val_nodes]).item()
        F.cross_entropy(logits[train_nodes], y[train_nodes]).backward()
        adam.step()
        if val_loss < least:
            least, best_epoch = val_loss, epoch
            best = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
        elif epoch >= best_epoch + 300:
            break
    model.load_state_dict(best)
    return model.eval()


def dice(edges, labels, budget, seed):
    """Three fifths of the budget join classes, the rest disconnects nodes of the same one."""
    random, ordered, additions = np.random.RandomState(seed), sorted(edges), int(0.6 * budget)
    removed, added = set(), set()
    while len(removed) < budget - additions:
        i, j = ordered[random.randint(len(ordered))]
        if labels[i] == labels[j]:
            removed.add((i, j))
    while len(added) < additions:
        i, j = sorted(random.randint(len(labels), size=2).tolist())
        if labels[i] != labels[j] and (i, j) not in edges:
            added.add((i, j))
    return (edges | added) - removed


def with_flips(edges, path):
    with open(path, newline="") as file:
        return edges ^ {tuple(sorted((int(row["source"]), int(row["target"])))) for row in csv.DictReader(file)}


def index_of(edges):
    half = torch.tensor(sorted(edges)).T
    return torch.cat((half, half.flip(0)), 1).to(DEVICE)


def graphs(name, edges, labels, seed, folder):
    found = {"clean": edges}
    for epsilon in DICE:
        found[f"dice {epsilon}"] = dice(edges, labels, round(epsilon * len(edges)), seed)
    for epsilon in FLIPS:
        path = os.path.join(folder or "", f"{name}-{seed}-{epsilon}.csv")
        if folder and os.path.exists(path):
            found[f"flips {epsilon}"] = with_flips(edges, path)
    return {label: index_of(graph) for label, graph in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--flips")
    parser.add_argument("--repeats", type=int, default=6)
    options = parser.parse_args()
    print(f"torch {torch.__version__}, torch_geometric {torch_geometric.__version__}, {DEVICE}")
    for path in options.datasets:
        name = os.path.basename(path).split(".")[0]
        edges, features, labels = load(path)
        x, y = torch.tensor(features, device=DEVICE), torch.tensor(labels, device=DEVICE)
        accuracies = {}
        for seed in SEEDS:
            train_nodes, val_nodes, test = split(labels, seed)
            tried = graphs(name, edges, labels, seed, options.flips)
            for repeat in range(options.repeats):
                torch.manual_seed(1000 * repeat + seed)
                model = Gat(x.shape[1], int(y.max()) + 1).to(DEVICE)
                train(model, x, tried["clean"], y, train_nodes, val_nodes)
                for label, edge_index in tried.items():
                    with torch.no_grad():
                        correct = model(x, edge_index).argmax(1)[test] == y[test]
                    accuracies.setdefault(label, []).append(correct.float().mean().item())
        cells = [f"{label} {np.mean(list_):.3f} ± {np.std(list_):.3f}" for label, list_ in accuracies.items()]
        print(f"{name}, {len(labels)} nodes, {len(edges)} edges, {len(accuracies['clean'])} models: " + ", ".join(cells))


if __name__ == "__main__":
    main()

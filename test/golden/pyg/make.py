"""Writes the golden files of this folder: models of PyTorch Geometric with fixed weights, and their logits on one graph.

    python3 make.py <folder>

Needs torch, torch_geometric and safetensors; everything runs on the CPU in single precision.
"""

import json
import platform
import sys
from pathlib import Path

import safetensors
import torch
import torch_geometric
from safetensors.torch import save_file
from torch_geometric.nn import GCNConv, SGConv
from torch_geometric.nn.models import GAT, GCN

NODES, FEATURES, HIDDEN, CLASSES = 40, 24, 8, 5
out = Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
torch.manual_seed(0)


def random_graph():
    """Undirected, no self loops; the last node is isolated. Features are sparse multiples of 1/8: exact in JSON."""
    pairs = torch.triu(torch.rand(NODES, NODES) < 0.12, diagonal=1)
    pairs[:, -1] = False
    edges = pairs.nonzero()
    features = torch.randint(-16, 17, (NODES, FEATURES)) / 8 * (torch.rand(NODES, FEATURES) < 0.4)
    return edges, features


class TwoLayerGcn(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = GCNConv(FEATURES, HIDDEN)
        self.conv2 = GCNConv(HIDDEN, CLASSES)

    def forward(self, x, edge_index):
        return self.conv2(torch.relu(self.conv1(x, edge_index)), edge_index)


class NormedGcn(torch.nn.Module):
    """Layer widths that differ, so that one first aggregates and another first transforms."""

    def __init__(self):
        super().__init__()
        widths = [FEATURES, HIDDEN, 12, CLASSES]
        self.convs = torch.nn.ModuleList(GCNConv(a, b) for a, b in zip(widths, widths[1:]))
        self.bns = torch.nn.ModuleList(torch.nn.BatchNorm1d(width) for width in widths[1:-1])

    def forward(self, x, edge_index):
        for conv, bn in zip(self.convs, self.bns):
            x = torch.relu(bn(conv(x, edge_index)))
        return self.convs[-1](x, edge_index)


def randomise(model):
    """Fills what starts at a constant (biases, batch norm and its statistics), so that a swap of two shows."""
    for name, tensor in model.state_dict().items():
        if name.endswith("running_var"):
            tensor.uniform_(0.5, 2)
        elif tensor.dim() == 1:
            tensor.uniform_(-0.5, 0.5)
    return model.eval()


models = {
    "gcn": TwoLayerGcn(),
    "gcn-bns": NormedGcn(),
    "gcn-norms": GCN(FEATURES, HIDDEN, num_layers=3, out_channels=CLASSES, norm="batch_norm"),
    "gat": GAT(FEATURES, HIDDEN, num_layers=2, out_channels=CLASSES),
    "sgc": SGConv(FEATURES, CLASSES, K=2),
}
edges, features = random_graph()
edge_index = torch.cat([edges, edges.flip(1)]).t().contiguous()

golden = {
    "versions": {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "torch_geometric": torch_geometric.__version__,
        "safetensors": safetensors.__version__,
    },
    "edges": edges.tolist(),
    "features": features.tolist(),
    "logits": {},
}
for name, model in models.items():
    randomise(model)
    with torch.no_grad():
        golden["logits"][name] = [[round(z, 7) for z in row] for row in model(features, edge_index).tolist()]
    save_file({key: tensor.contiguous() for key, tensor in model.state_dict().items()}, out / f"{name}.safetensors")
    print(name, {key: list(tensor.shape) for key, tensor in model.state_dict().items()})

numbers = [0.0, -1.0, 1.0 / 3.0, 6e-8, 60000.0]
dtypes = {
    **{name: torch.tensor(numbers, dtype=getattr(torch, name)) for name in ["float64", "float32", "float16", "bfloat16"]},
    **{name: torch.tensor([[0, -1], [7, -100]], dtype=getattr(torch, name)) for name in ["int64", "int32", "int16", "int8"]},
    "uint8": torch.tensor([0, 255], dtype=torch.uint8),
    "bool": torch.tensor([True, False]),
    "scalar": torch.tensor(2.5),
    "empty": torch.zeros(0, 3),
}
save_file(dtypes, out / "dtypes.safetensors", metadata={"format": "pt"})
golden["dtypes"] = {
    name: {"shape": list(t.shape), "values": t.to(torch.float32).flatten().tolist()} for name, t in dtypes.items()
}
(out / "golden.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")
print(golden["versions"], edge_index.shape)

"""Writes the files beside it with PyTorch 2.13.0 and PyTorch Geometric 2.8.0: the graph of small-graph-files.ts.

    python make.py
"""

import torch
from torch_geometric.data import Data, InMemoryDataset

x = torch.tensor([[1, 0, 0], [0, 0.5, 0], [0, 0, 2], [1, 0, 1], [0, 3, 0]])
pairs = torch.tensor([[0, 1], [0, 2], [1, 2], [2, 3], [3, 4]])
y = torch.tensor([0, 1, 0, 1, 1])
train = torch.tensor([True, True, False, False, False])
val = torch.tensor([False, False, True, False, False])

edge_index = pairs.t()  # not contiguous: its rows are columns of the storage
graph = dict(x=x, edge_index=edge_index, y=y, train_mask=train, val_mask=val, test_mask=~(train | val))
torch.save(Data(**graph), "data.pt")
torch.save(InMemoryDataset.collate([Data(**graph)]), "processed.pt")
torch.save(graph, "dict.pt")
torch.save(Data(**graph, edge_weight=torch.tensor([1.0, 1.0, 0.5, 1.0, 1.0])), "weighted.pt")

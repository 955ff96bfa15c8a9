import type { WeightsConfig } from "../nn/weights/weights.ts";

/** The lines of Python that write a model of PyTorch Geometric to a file that `rgnn weights import` reads. */
export function pythonToSave(file: string): string[] {
  return [
    "from safetensors.torch import save_file",
    "tensors = {name: tensor.contiguous() for name, tensor in model.state_dict().items()}",
    `save_file(tensors, ${JSON.stringify(file)})`,
  ];
}

/** The lines of Python that load a file which `rgnn weights export` wrote. */
export function pythonToLoad(file: string, saved: WeightsConfig): string[] {
  return [
    "from safetensors.torch import load_file",
    ...modelLines(saved),
    `model.load_state_dict(load_file(${JSON.stringify(file)}))`,
  ];
}

function modelLines({ name, config, sizes }: WeightsConfig): string[] {
  const { features, classes } = sizes;
  if (name === "sgc")
    return [`from torch_geometric.nn import SGConv; model = SGConv(${features}, ${classes}, K=${config["steps"]})`];
  const conv = name === "gat" ? "GATConv" : "GCNConv";
  const model = name === "gat" ? "GAT" : "GCN";
  const hidden = config["hidden"] as readonly number[];
  const widths = [features, ...hidden, classes];
  if (new Set(hidden).size !== 1) {
    const layers = widths.slice(1).map((width, k) => `${conv}(${widths[k]}, ${width})`);
    return [`# model: a module of your own, with self.convs = torch.nn.ModuleList([${layers.join(", ")}])`];
  }
  const more = [
    ...(config["batchNorm"] === true ? ['norm="batch_norm"'] : []),
    ...(config["bias"] === false ? ["bias=False"] : []),
    ...(config["activation"] === "identity" ? ["act=None"] : []),
  ];
  const args = [features, hidden[0], `num_layers=${hidden.length + 1}`, `out_channels=${classes}`, ...more];
  return [`from torch_geometric.nn.models import ${model}; model = ${model}(${args.join(", ")})`];
}

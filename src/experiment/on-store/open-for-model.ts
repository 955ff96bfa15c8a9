import { lookup } from "../../core/errors.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { isStore } from "../../files/store/read-store-header.ts";
import type { NodeSession } from "../node-session.ts";
import { openSession, type SessionOptions } from "../session.ts";
import { openStoreSession } from "./store-session.ts";

/** Opens a graph for a model. A store stays on disk if the model can learn from its rows; anything else is loaded. */
export function openForModel(options: SessionOptions, model: string): Promise<NodeSession> {
  const kind = lookup(modelKinds, model, "model");
  return isStore(options.dataset) && kind.trainOnRows ? openStoreSession(options) : openSession(options);
}

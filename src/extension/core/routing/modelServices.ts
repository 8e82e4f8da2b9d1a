import type { Usage } from '../../../protocol/events.ts';
import type { ModelProvider } from '../model.ts';
import type { ModelAvailability } from './modelAvailability.ts';
import type { ModelRoles } from './modelRoles.ts';

/** Access to models according to current settings: provider, roles, health, limits and prices. */
export interface ModelServices {
  /** Shared by the sessions of a window. */
  readonly availability: ModelAvailability;
  provider(): ModelProvider;
  /** Models for `auto`, as fallbacks, and for questions outside the conversation. */
  chain(): ModelRoles;
  /** Resolves an alias to a model id. */
  resolve(name: string): string;
  /** Tokens that fit into one request. */
  contextLimit(model: string): number;
  /** Returns a sentence about raising a model's quota or plan. */
  describeUpgrade(model: string): Promise<string>;
  /** US dollars of one answer; `undefined` for an unknown price. */
  costOf(model: string, usage: Usage): number | undefined;
}

import type { Usage } from '../../../protocol/events.ts';
import type { ModelProvider } from '../model.ts';
import type { Availability } from './availability.ts';
import type { ModelChain } from './modelChain.ts';

/** The available models, according to current settings. */
export interface Models {
  /** Shared by the sessions of a window. */
  readonly availability: Availability;
  provider(): ModelProvider;
  /** Models for `auto`, as fallbacks, and for questions outside the conversation. */
  chain(): ModelChain;
  /** Resolves an alias to a model id. */
  resolve(name: string): string;
  /** Tokens that fit into one request. */
  contextLimit(model: string): number;
  /** Returns a sentence about raising a model's quota or plan. */
  describeUpgrade(model: string): Promise<string>;
  /** US dollars of one answer; `undefined` for an unknown price. */
  costOf(model: string, usage: Usage): number | undefined;
}

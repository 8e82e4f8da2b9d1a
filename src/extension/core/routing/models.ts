import type { Usage } from '../../../protocol/events.ts';
import type { ModelProvider } from '../model.ts';
import type { Availability } from './availability.ts';
import type { ModelChain } from './modelChain.ts';

/** The models that can be asked, as the settings are at the moment of each question. */
export interface Models {
  /** Shared by the sessions of a window. */
  readonly availability: Availability;
  provider(): ModelProvider;
  /** The models that `auto` chooses from, that take over, and that answer beside the conversation. */
  chain(): ModelChain;
  /** The id that a name stands for. */
  resolve(name: string): string;
  /** Tokens that fit into one request. */
  contextLimit(model: string): number;
  /** A sentence about where the quota or the plan of a model is raised. */
  describeUpgrade(model: string): Promise<string>;
  /** US dollars of one answer; `undefined` where no price is known. */
  costOf(model: string, usage: Usage): number | undefined;
}

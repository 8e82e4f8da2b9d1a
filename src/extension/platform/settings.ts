import type { Event } from '../base/emitter.ts';

/**
 * What a person can set. Only the composition root reads it; everyone else gets the narrow value, or a function
 * that returns the present value, in the constructor.
 */
export interface Settings {
  get<K extends keyof SettingValues>(name: K): SettingValues[K];
  readonly onDidChange: Event<void>;
}

export interface SettingValues {
  /** Model id of the provider. */
  readonly model: string;
  /** Empty: the provider's own address. */
  readonly baseUrl: string;
  readonly approvalMode: 'default' | 'autoEdit' | 'plan' | 'yolo';
  /** Model answers in one turn. */
  readonly maxSteps: number;
  /** Attempts of one request, the first included. */
  readonly maxAttempts: number;
  /** Seconds without output until a command is stopped; 0: never. */
  readonly shellInactivityTimeout: number;
  /** Characters of a tool's output that the model gets whole. */
  readonly toolOutputLimit: number;
  /** Sections of the system prompt to leave out. */
  readonly promptWithout: readonly string[];
  /** What memory files are called, the most important first. */
  readonly contextFileNames: readonly string[];
}

export const defaultSettings: SettingValues = {
  model: 'gemini-2.5-pro',
  baseUrl: '',
  approvalMode: 'default',
  maxSteps: 100,
  maxAttempts: 10,
  shellInactivityTimeout: 300,
  toolOutputLimit: 40_000,
  promptWithout: [],
  contextFileNames: ['GEMINI.md', 'AGENTS.md'],
};

/** A bare name, which leads to no other folder. */
export function isFileName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^\.{1,2}$|[/\\:\0]/.test(value);
}

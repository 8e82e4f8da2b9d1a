import type { LanguageModel } from './languageModels.ts';

/** The same in every window, as long as the other extension keeps its ids. */
export function idOf({ vendor, id }: Pick<LanguageModel, 'vendor' | 'id'>): string {
  return `${vendor}/${id}`;
}

export function labelOf({ name, id, vendor }: Pick<LanguageModel, 'name' | 'id' | 'vendor'>): string {
  return `${name || id} (${vendor})`;
}

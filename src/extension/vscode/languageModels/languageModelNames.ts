import type { LanguageModel } from './languageModels.ts';

/** Returns an id that is the same in every window, as long as the other extension keeps its ids. */
export function languageModelId({ vendor, id }: Pick<LanguageModel, 'vendor' | 'id'>): string {
  return `${vendor}/${id}`;
}

export function languageModelLabel({
  name,
  id,
  vendor,
}: Pick<LanguageModel, 'name' | 'id' | 'vendor'>): string {
  return `${name || id} (${vendor})`;
}

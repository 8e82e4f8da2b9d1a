import type { FolioApiError } from './folioApi.ts';

/** Other extensions get no class of ours to compare with, so they tell it by its name and code. */
export function apiError(code: FolioApiError['code'], message: string): FolioApiError {
  return Object.assign(new Error(message), { name: 'FolioApiError' as const, code });
}

import type { FolioApiError } from './folioApi.ts';

/** Other extensions cannot use `instanceof` with our class, so they check name and code. */
export function apiError(code: FolioApiError['code'], message: string): FolioApiError {
  return Object.assign(new Error(message), { name: 'FolioApiError' as const, code });
}

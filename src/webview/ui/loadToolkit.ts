/**
 * Defines the toolkit's elements, after the first paint. The toolkit finds out by an empty style element whether
 * the browser knows `:focus-visible`, and takes that element's nonce from a `meta`; the page's policy allows the
 * nonce of its script for styles too. All other styles of the toolkit are constructed and need no permission.
 */
export async function loadToolkit(): Promise<void> {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.content = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  document.head.append(meta);
  const { defineToolkit } = await import('./toolkit.ts');
  defineToolkit();
}

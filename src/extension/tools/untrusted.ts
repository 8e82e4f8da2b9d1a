/*
 * Text from commands and the web may try to give orders. It reaches the model only between tags that say what it
 * is; the system prompt says what they mean.
 */

export type UntrustedTag = 'untrusted_output' | 'untrusted_content';

/** The text cannot close the fence by itself: a tag of the same name inside it loses its bracket. */
export function fence(tag: UntrustedTag, text: string): string {
  const inner = text.replace(new RegExp(`<(?=/?\\s*${tag})`, 'gi'), '‹');
  return `<${tag}>\n${inner}${inner.endsWith('\n') ? '' : '\n'}</${tag}>`;
}

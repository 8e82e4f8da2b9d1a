/** Ignores invisible characters and HTML comments. */
export function hasVisibleText(text: string): boolean {
  const visible = text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\u200b|\u200c|\u200d|\u200e|\u200f|\ufeff/g, '');
  return visible.trim() !== '';
}

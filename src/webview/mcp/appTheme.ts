/* Maps VS Code's theme to the style variables of MCP Apps. */

/** Variables of the protocol by VS Code's variables. */
const variables: Readonly<Record<string, readonly string[]>> = {
  'sideBar-background': ['color-background-primary'],
  'editorWidget-background': ['color-background-secondary'],
  'input-background': ['color-background-tertiary'],
  'button-background': ['color-background-info', 'color-border-info'],
  'inputValidation-errorBackground': ['color-background-danger'],
  'inputValidation-warningBackground': ['color-background-warning'],
  foreground: ['color-text-primary'],
  descriptionForeground: ['color-text-secondary', 'color-text-tertiary'],
  disabledForeground: ['color-text-disabled'],
  'button-foreground': ['color-text-inverse'],
  'textLink-foreground': ['color-text-info'],
  errorForeground: ['color-text-danger', 'color-border-danger'],
  'editorWarning-foreground': ['color-text-warning', 'color-border-warning'],
  'testing-iconPassed': ['color-text-success', 'color-border-success'],
  'panel-border': ['color-border-primary', 'color-border-secondary'],
  focusBorder: ['color-ring-primary'],
  'font-family': ['font-sans'],
  'editor-font-family': ['font-mono'],
  'font-size': ['font-text-md-size'],
};

export function themeNow() {
  const style = getComputedStyle(document.documentElement);
  const entries = Object.entries(variables).flatMap(([ours, theirs]) => {
    const value = style.getPropertyValue(`--vscode-${ours}`).trim();
    return value === '' ? [] : theirs.map(name => [`--${name}`, value]);
  });
  const isLight = /light/i.test(document.body.dataset.vscodeThemeKind ?? '');
  return { theme: isLight ? 'light' : 'dark', styles: { variables: Object.fromEntries(entries) } };
}

/** Calls `changed` for each change of the theme. Returns a function that stops this. */
export function followTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['data-vscode-theme-kind'] });
  return () => observer.disconnect();
}

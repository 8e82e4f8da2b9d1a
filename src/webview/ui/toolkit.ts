import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';

/**
 * A chunk of its own: the page paints and works before these elements are defined. Their styles are constructed
 * and need no permission of the page's policy, but for one empty style element, by which the toolkit finds out
 * whether the browser knows `:focus-visible`; the policy allows it by its hash.
 */
export function defineToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton());
}

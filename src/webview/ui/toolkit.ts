import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';

/**
 * Defines the toolkit's elements. In a separate chunk, since the page works before. Their constructed styles need no
 * permission of the page's policy, except one empty style element by which the toolkit tests for `:focus-visible`; the
 * policy allows it by its hash.
 */
export function defineToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton());
}

import type { ExtensionContext } from 'vscode';
import { compose } from './compose.ts';

let shutDown: (() => Promise<void>) | undefined;

/** VS Code calls this when the view is first seen or a command first used. */
export async function activate(context: ExtensionContext): Promise<void> {
  shutDown = await compose(context);
}

/** VS Code waits for this, for some seconds, so that the journal gets to the disk. */
export async function deactivate(): Promise<void> {
  await shutDown?.();
}

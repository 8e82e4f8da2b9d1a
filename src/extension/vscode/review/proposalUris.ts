import { type Tab, TabInputText, TabInputTextDiff, Uri, workspace } from 'vscode';

export const proposalScheme = 'folio-proposal';

/** The two sides of a call's proposal. Both have the file's path, which determines language and icon. */
export interface ProposalUris {
  readonly before: Uri;
  readonly after: Uri;
}

export function proposalUris(sessionId: string, callId: string, file: string): ProposalUris {
  const path = `/${workspace.asRelativePath(file, false)}`.replace(/^\/+/, '/');
  const side = (name: string) =>
    Uri.from({ scheme: proposalScheme, path, query: `${sessionId}/${callId}/${name}` });
  return { before: side('before'), after: side('after') };
}

/** The file before the session's changes. Uses the file's own path, or VS Code would show it as renamed. */
export function originalUri(sessionId: string, file: string): Uri {
  return Uri.from({ scheme: proposalScheme, path: Uri.file(file).path, query: `${sessionId}/original` });
}

/** Returns the tab's document, or its right side in a diff, if it is one of ours. */
export function proposalOf(tab: Tab): Uri | undefined {
  const { input } = tab;
  const uri =
    input instanceof TabInputTextDiff
      ? input.modified
      : input instanceof TabInputText
        ? input.uri
        : undefined;
  return uri?.scheme === proposalScheme ? uri : undefined;
}

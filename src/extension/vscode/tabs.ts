import { type Tab, window } from 'vscode';

export function allTabs(): readonly Tab[] {
  return window.tabGroups.all.flatMap(group => group.tabs);
}

/** Closes the matching tabs and keeps the focus. */
export async function closeTabs(matches: (tab: Tab) => boolean): Promise<void> {
  const tabs = allTabs().filter(matches);
  if (tabs.length > 0) await window.tabGroups.close(tabs, true);
}

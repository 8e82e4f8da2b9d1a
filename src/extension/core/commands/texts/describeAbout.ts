import { codeSpan } from '../../export/markdownText.ts';
import type { AboutFacts } from '../commands.ts';

/** As Markdown. */
export function describeAbout(facts: AboutFacts): string {
  const { version, host, system, provider, model, trusted } = facts;
  const rows: readonly (readonly [string, string])[] = [
    ['Folio', version],
    ['Model', codeSpan(model || 'none')],
    ['Provider', provider],
    ['Sandbox', 'none; commands run as you, and the rules in force say which may'],
    ['Workspace', trusted ? 'trusted' : 'restricted'],
    ['Runs in', host],
    ['System', system],
  ];
  return ['# About Folio', '', ...rows.map(([name, value]) => `- ${name}: ${value}`), ''].join('\n');
}

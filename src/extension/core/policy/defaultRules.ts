/*
 * The built-in rules. A mode is nothing more than the rules here that name it. Higher priorities come first. No rule
 * can loosen what `classifyPaths` and `classifyCommand` enforce.
 */

import { t } from '../../../protocol/language.ts';
import type { Rule } from './rule.ts';

type DefaultRule = Omit<Rule, 'tier' | 'origin'>;

const planOnlyReads = () => t('Plan mode is on: only reading is allowed. Present the plan instead.');

const rules: readonly DefaultRule[] = [
  { priority: 998, decision: 'allow', modes: ['yolo'], allowRedirection: true },
  { priority: 60, decision: 'allow', effects: ['run'], reads: true },
  // Without a text it types nothing and only reads more output.
  { priority: 60, decision: 'allow', tools: ['send_input'], args: /^\{"id":\d+\}$/ },
  {
    // Their claim to be read-only must not let the model's arguments reach them unasked.
    priority: 55,
    decision: 'ask',
    effects: ['read'],
    mcp: 'extension:*',
    askMessage: () => t('Tools of other extensions ask first.'),
  },
  { priority: 50, decision: 'allow', effects: ['read', 'note'] },
  {
    priority: 40,
    decision: 'deny',
    effects: ['edit', 'run'],
    modes: ['plan'],
    denyMessage: planOnlyReads,
  },
  { priority: 15, decision: 'allow', effects: ['edit'], modes: ['autoEdit'] },
  // The agent checks its changes on a local server.
  {
    priority: 15,
    decision: 'allow',
    tools: ['browser_open', 'browser_do'],
    local: true,
    modes: ['autoEdit'],
  },
  // The program was already allowed to run. Conditions and log texts of breakpoints are evaluated in it, so they ask.
  {
    priority: 15,
    decision: 'allow',
    tools: ['debug'],
    args: /^\{"action":"(?:continue|over|into|out|look|stop)"(?![\s\S]*"(?:condition|log)":)/,
    modes: ['default', 'autoEdit'],
  },
  {
    priority: 11,
    decision: 'ask',
    tools: ['debug'],
    askMessage: () => t('Starting a program and evaluating in it ask first.'),
  },
  {
    priority: 11,
    decision: 'ask',
    tools: ['browser_do', 'browser_run'],
    askMessage: () => t('Steps and scripts in the browser ask first.'),
  },
  {
    priority: 10,
    decision: 'ask',
    effects: ['edit'],
    askMessage: () => t('Edits need your approval in this mode.'),
  },
  {
    priority: 11,
    decision: 'ask',
    effects: ['run'],
    mcp: '*',
    askMessage: () => t('Tools from servers and extensions need your approval in this mode.'),
  },
  {
    priority: 10,
    decision: 'ask',
    effects: ['run'],
    askMessage: () => t('Commands need your approval in this mode.'),
  },
  {
    priority: 11,
    decision: 'ask',
    tools: ['invoke_agent'],
    effects: ['fetch'],
    askMessage: () => t('Agents on other servers ask first: the task goes there.'),
  },
  {
    priority: 10,
    decision: 'ask',
    effects: ['fetch'],
    askMessage: () => t('Reading from the web asks first: it sends the address outside.'),
  },
];

export const defaultRules: readonly Rule[] = rules.map(rule => ({
  ...rule,
  tier: 'default',
  origin: () => 'Folio',
}));

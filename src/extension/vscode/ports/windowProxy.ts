import { workspace } from 'vscode';
import { type PersonalProxy, proxyOfEnvironment } from '../../platform/sandbox.ts';

/** Reads VS Code's proxy settings, else the environment, like VS Code itself. */
export function windowProxy(env: Readonly<Record<string, string | undefined>>): PersonalProxy {
  const settings = workspace.getConfiguration('http');
  const read = <T>(name: string) => settings.inspect<T>(name)?.globalValue;
  if (read<string>('proxySupport') === 'off') return { except: '' };
  const around = proxyOfEnvironment(env);
  const except = read<readonly string[]>('noProxy')?.join() || around.except;
  const address = read<string>('proxy') || undefined;
  if (address === undefined) return { ...around, except };
  return { http: address, https: address, except, login: read<string>('proxyAuthorization') || undefined };
}

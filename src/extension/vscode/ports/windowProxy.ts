import { workspace } from 'vscode';
import { readProxyEnvironment, type UserProxy } from '../../platform/sandbox.ts';

/** Reads VS Code's proxy settings, else the environment, like VS Code itself. */
export function windowProxy(env: Readonly<Record<string, string | undefined>>): UserProxy {
  const settings = workspace.getConfiguration('http');
  const read = <T>(name: string) => settings.inspect<T>(name)?.globalValue;
  if (read<string>('proxySupport') === 'off') return { except: '' };
  const around = readProxyEnvironment(env);
  const except = read<readonly string[]>('noProxy')?.join() || around.except;
  const address = read<string>('proxy') || undefined;
  if (address === undefined) return { ...around, except };
  return { http: address, https: address, except, login: read<string>('proxyAuthorization') || undefined };
}

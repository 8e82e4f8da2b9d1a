/* Optional observers of sessions. Each is loaded with the first session for which it is enabled. */

import { resolve } from 'node:path';
import type { EmittedEvent } from '../../protocol/fold/agents.ts';
import { once } from '../base/once.ts';
import type { Clock } from '../platform/clock.ts';
import type { HttpTransport } from '../platform/http/httpTransport.ts';
import type { Log } from '../platform/log.ts';
import type { Machine } from '../platform/machine.ts';
import { otherProviders, parseModelName } from '../platform/modelNames.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';
import type { AuditLog } from './audit/auditLog.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

interface ObserverPorts {
  readonly machine: Pick<Machine, 'env' | 'home'>;
  readonly settings: Pick<Settings, 'get' | 'managedNames'>;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly log: Log;
  /** Folio's version. */
  readonly version: string;
}

type Listener = (reported: EmittedEvent) => void;

interface Watcher {
  follow(sessionId: string): Listener;
}

/** The observers of a host's sessions. Their errors are logged and never affect a session. */
export class SessionObservers {
  private readonly ports: ObserverPorts;
  private readonly load = once(() => this.makeTelemetry());
  private readonly loadAudit = once(() => this.makeAudit());
  private telemetry: Telemetry | undefined;
  private audit: AuditLog | undefined;

  constructor(ports: ObserverPorts) {
    this.ports = ports;
  }

  /** Returns the handler for a session's events, in order. `undefined` if no observer is enabled. */
  follow(sessionId: string): Listener | undefined {
    const wanted: Promise<Watcher>[] = [];
    if (auditFolder(this.ports) !== undefined) wanted.push(this.loadAudit());
    if (wantsTelemetry(this.ports)) wanted.push(this.load());
    if (wanted.length === 0) return undefined;
    const listeners = wanted.map(watcher => watcher.then(each => each.follow(sessionId)));
    return reported => {
      for (const listener of listeners) void this.notify(listener, reported);
    };
  }

  /** Returns the `_meta` of a call to an MCP server, for its trace. */
  traceOf(callId: string): Readonly<Record<string, string>> | undefined {
    return this.telemetry?.traceOf(callId);
  }

  /** Resolves when everything recorded was sent, or after some seconds. Nothing is recorded afterwards. */
  async close(): Promise<void> {
    await Promise.all([this.telemetry?.close(), this.audit?.close()]);
  }

  private async notify(listener: Promise<Listener>, reported: EmittedEvent): Promise<void> {
    try {
      (await listener)(reported);
    } catch (error) {
      this.ports.log.error('What watches a session failed, and the work goes on without it', error);
    }
  }

  private async makeAudit(): Promise<AuditLog> {
    const { AuditLog } = await import('./audit/auditLog.ts');
    const warn = (sentence: string) => this.ports.log.error(sentence);
    this.audit = new AuditLog(auditFolder(this.ports) ?? '', { ...this.ports, warn });
    return this.audit;
  }

  private async makeTelemetry(): Promise<Telemetry> {
    const { Telemetry } = await import('./telemetry/telemetry.ts');
    const { machine, settings, log, version } = this.ports;
    const { env } = withoutSwitches(machine, settings);
    const endpoint = settings.get('telemetry.endpoint').trim();
    const captures = settings.get('telemetry.captureContent') || isTrue(env[captureVariable]);
    const provider = (model: string) => providerNames[providerOf(model, settings)];
    const warn = (sentence: string) => log.error(sentence);
    this.telemetry = new Telemetry({ endpoint, captures, env, version }, { ...this.ports, provider, warn });
    return this.telemetry;
  }
}

const variables = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
];

const captureVariable = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';

/** Absolute path. `undefined` if no log is written. */
function auditFolder({ settings, machine }: Pick<ObserverPorts, 'settings' | 'machine'>): string | undefined {
  const path = settings.get('audit.path').trim();
  // A relative path would differ for each run, so it is resolved against the home folder.
  return path === '' ? undefined : resolve(machine.home, path.replace(/^~(?=$|[\\/])/, machine.home));
}

function wantsTelemetry({ machine, settings }: Pick<ObserverPorts, 'machine' | 'settings'>): boolean {
  if (settings.managedNames?.includes('telemetry.endpoint'))
    return settings.get('telemetry.endpoint').trim() !== '';
  const { env } = machine;
  if (isTrue(env.OTEL_SDK_DISABLED)) return false;
  return settings.get('telemetry.endpoint').trim() !== '' || variables.some(name => env[name]?.trim());
}

/** If an organisation configures the collector, no environment variable can turn it off. */
function withoutSwitches(
  machine: ObserverPorts['machine'],
  { managedNames }: Pick<Settings, 'managedNames'>,
): Pick<Machine, 'env'> {
  if (!managedNames?.includes('telemetry.endpoint')) return machine;
  const kept = Object.entries(machine.env).filter(([name]) => !/^OTEL_\w*(EXPORTER|PROTOCOL)$/.test(name));
  return { env: Object.fromEntries(kept) };
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}

function providerOf(model: string, settings: Pick<Settings, 'get'>): ProviderName {
  return parseModelName(model, settings.get('provider'), otherProviders(settings)).provider;
}

/** Names from OpenTelemetry's conventions. `openai` covers any server with the chat-completions protocol. */
const providerNames: Readonly<Record<ProviderName, string>> = {
  gemini: 'gcp.gemini',
  anthropic: 'anthropic',
  'openai-responses': 'openai',
  openai: 'openai',
  vertex: 'gcp.vertex_ai',
  bedrock: 'aws.bedrock',
  vscode: 'vscode',
};

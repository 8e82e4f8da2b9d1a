/* What watches sessions from outside, where the user wants it: loaded with the first session then, and not before. */

import type { EmittedEvent } from '../../protocol/fold/agents.ts';
import { once } from '../base/once.ts';
import type { Clock } from '../platform/clock.ts';
import type { HttpTransport } from '../platform/http/httpTransport.ts';
import type { Log } from '../platform/log.ts';
import type { Machine } from '../platform/machine.ts';
import { otherProviders, placeOfModel } from '../platform/modelPlace.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

interface ObserverPorts {
  readonly env: Machine['env'];
  readonly settings: Pick<Settings, 'get'>;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly log: Log;
  /** Folio's. */
  readonly version: string;
}

type Listener = (reported: EmittedEvent) => void;

/** The watchers of all sessions of a host. What fails in them is logged, and never reaches a session. */
export class Observers {
  private readonly ports: ObserverPorts;
  private readonly load = once(() => this.makeTelemetry());
  private telemetry: Telemetry | undefined;

  constructor(ports: ObserverPorts) {
    this.ports = ports;
  }

  /** Gets the events of a session in their order; undefined: nobody wants them. */
  follow(sessionId: string): Listener | undefined {
    if (!wantsTelemetry(this.ports)) return undefined;
    const following = this.load().then(telemetry => telemetry.follow(sessionId));
    const { log } = this.ports;
    return reported =>
      void following
        .then(follow => follow(reported))
        .catch((error: unknown) => log.error('Telemetry failed, and the work goes on without it', error));
  }

  /** What goes along with a call to an MCP server. */
  traceOf(callId: string): Readonly<Record<string, string>> | undefined {
    return this.telemetry?.traceOf(callId);
  }

  /** Resolves when what was seen has left, or after some seconds. Nothing is seen any more then. */
  async close(): Promise<void> {
    if (wantsTelemetry(this.ports) && this.telemetry) await this.telemetry.close();
  }

  private async makeTelemetry(): Promise<Telemetry> {
    const { Telemetry } = await import('../telemetry/telemetry.ts');
    const { env, settings, log, version } = this.ports;
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

function wantsTelemetry({ env, settings }: Pick<ObserverPorts, 'env' | 'settings'>): boolean {
  if (isTrue(env.OTEL_SDK_DISABLED)) return false;
  return settings.get('telemetry.endpoint').trim() !== '' || variables.some(name => env[name]?.trim());
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}

function providerOf(model: string, settings: Pick<Settings, 'get'>): ProviderName {
  return placeOfModel(model, settings.get('provider'), otherProviders(settings)).provider;
}

/** As OpenTelemetry's conventions call them; `openai` is any server that speaks chat completions, as most of them do. */
const providerNames: Readonly<Record<ProviderName, string>> = {
  gemini: 'gcp.gemini',
  anthropic: 'anthropic',
  'openai-responses': 'openai',
  openai: 'openai',
  vertex: 'gcp.vertex_ai',
  bedrock: 'aws.bedrock',
  vscode: 'vscode',
};

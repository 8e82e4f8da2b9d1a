import { once } from '../../base/once.ts';
import type { ModelProvider } from '../../core/model.ts';
import type { ProviderName } from '../../platform/settings.ts';
import type { ScalePicture } from './fitMedia.ts';

/** Wraps a provider so that its requests hold only pictures and files that the service accepts. */
export function withFittedMedia(
  provider: ModelProvider,
  name: ProviderName,
  scale: ScalePicture,
): ModelProvider {
  const loadFitter = once(async () => {
    const { MediaFitter } = await import('./fitMedia.ts');
    return new MediaFitter(scale);
  });
  return {
    async *stream(request) {
      const hasMedia = request.messages.some(({ parts }) =>
        parts.some(part => part.kind === 'blob' || (part.kind === 'result' && part.blobs !== undefined)),
      );
      if (!hasMedia) return yield* provider.stream(request);
      const fitter = await loadFitter();
      yield* provider.stream({
        ...request,
        messages: await fitter.fit(request.messages, name, request.model),
      });
    },
    load: async model => provider.load?.(model),
    listModels: signal => provider.listModels(signal),
  };
}

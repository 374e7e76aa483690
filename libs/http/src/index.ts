export { httpClient, type CallAnswer, type CallOptions, type HttpClient } from './client';
export { ServedElsewhere, type Elsewhere } from './elsewhere';
export {
  CustomBody,
  endpointsOf,
  type BodyKind,
  type Endpoint,
  type EndpointOptions,
  type Example,
  type GuardMap,
  type Input,
  type Method,
  type RateLimit,
} from './endpoint';
export type { IdempotencyState, IdempotencyStore } from './idempotency';
export { documentTypeOf, fitsUse, mediaTypeOf, mediaTypeOfFile, type MediaType, type MediaUse } from './media-type';
export { createMetrics, type GaugeSource, type Metrics } from './metrics';
export { parseSmallForm } from './multipart';
export { createExpressServer } from './native-request';
export { openapi } from './openapi';
export { checkAll } from './operations';
export type { RateCounter } from './rate-limit';
export { Binary, JsonText, Page, PlainText, Redirect, Reply } from './replies';
export { publicGuard, type Guard, type RequestView } from './request-view';
export { routeLines } from './routes';
export { commonSettings, runProgram, type CommonSettings, type Program } from './run';
export { isPrivateAddress, safeAddress, type SafeAddressOptions } from './safe-address';
export { DownloadFailed, safeDownload, type DownloadOptions } from './safe-download';
export { storedFile, type StoredFileOptions } from './stored-file';
export { startService, type ListenOptions, type RunningService } from './server';
export { registrationsOf, type Registration, type Service, type Variant } from './service';
export type { Upload } from './uploads';

export { addressGroup } from './address-group';
export { commandLines, commandNamed, commandsOf, seeding } from './command';
export type { Command } from './command.types';
export { Breaker, type BreakerOptions, type Sign } from './breaker';
export { httpClient, type CallAnswer, type CallOptions, type HttpClient } from './client';
export { area, type AreaOptions } from './area';
export { Assets } from './assets';
export {
  CustomBody,
  endpointsOf,
  replyDtos,
  replyKinds,
  type AnyReply,
  type EndpointDefaults,
  type ReplyKind,
  type BodyKind,
  type Endpoint,
  type EndpointOptions,
  type Example,
  type GuardMap,
  type Input,
  type Method,
  type RateLimit,
} from './endpoint';
export type { TextAnswer } from './answer';
export { csv, csvFile, csvText, withoutCsvGuards, type Cell, type Columns, type CsvReply } from './csv';
export { Kept, Unkept, type IdempotencyStore, type Once } from './idempotency';
export { parameter, position, segment, uuid, type Parameter, type Parameters } from './parameters';
export {
  cursorPage,
  dataOf,
  done,
  listOf,
  PageMeta,
  pageMeta,
  pageOf,
  type CursorMeta,
  type Feed,
  type Paged,
  type Shaped,
} from './shaped';
export {
  documentTypeOf,
  extensionOf,
  fitsUse,
  mediaTypeOf,
  mediaTypeOfFile,
  type MediaType,
  type MediaUse,
} from './media-type';
export { createMetrics, type GaugeSource, type Metrics } from './metrics';
export { oneOf, OneOf } from './one-of';
export { parseSmallForm } from './multipart';
export { createExpressServer } from './native-request';
export { openapi } from './openapi';
export { examplesOf } from './openapi-answers';
export { checkAll } from './component-checks';
export type { RateCounter } from './rate-limit';
export { peer, type Peer, type PeerAnswer, type PeerCall, type PeerOptions } from './peer';
export type { FormFile } from './peer-form';
export { path, type PeerPath } from './peer-path';
export { fragment, rendered } from './rendered';
export { claimedOnce, joinRooms, type Room } from './room';
export { namesEtag } from './if-none-match';
export { Binary, JsonText, Page, PlainText, Redirect, Reply, type ReplyHeaders } from './replies';
export { publicGuard, type Guard, type RequestView } from './request-view';
export type { RefusedRequest, ShowRefusal } from './refused.types';
export { replicaAddress } from './replica-address';
export { routeLines } from './routes';
export { commonSettings, runProgram, type CommonSettings, type Program } from './run';
export {
  isMetadataAddress,
  isPrivateAddress,
  couldBeFetched,
  namesPublicHost,
  safeAddress,
  type SafeAddressOptions,
} from './safe-address';
export { DownloadFailed, safeDownload, type DownloadOptions } from './safe-download';
export { safePost, safeSend, SendFailed, type SafeAnswer, type SafeSendOptions } from './safe-send';
export { dispositionOf, storedFile, type StoredFileOptions } from './stored-file';
export { gaugesOf, startService, type ListenOptions, type RunningService } from './server';
export {
  registrationsOf,
  type Exchange,
  type Intercept,
  type RecordedAnswer,
  type RecordedAnswers,
  type Registration,
  type Service,
  type SharedRate,
  type Variant,
} from './service';
export type { SocketsDocument } from './sockets-page';
export type { TenantShare } from './tenant-share';
export { UPLOAD_ROOM_BYTES } from './upload.room';
export type { Upload } from './uploads';
export type { WholeFile } from './whole-file';

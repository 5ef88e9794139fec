/** The commands of the Chrome DevTools Protocol that visits use, with what goes in and comes out of each. */
export interface CdpCommands {
  'Browser.getVersion': { in: object; out: { readonly product: string } };
  'Browser.close': { in: object; out: object };
  'SystemInfo.getInfo': { in: object; out: { readonly commandLine: string } };
  'Browser.setDownloadBehavior': { in: { behavior: 'deny'; browserContextId: string }; out: object };
  'Browser.grantPermissions': { in: { permissions: readonly string[]; browserContextId: string }; out: object };
  'Target.createBrowserContext': {
    in: { disposeOnDetach: boolean; proxyServer: string; proxyBypassList: string };
    out: { readonly browserContextId: string };
  };
  'Target.disposeBrowserContext': { in: { browserContextId: string }; out: object };
  'Target.createTarget': {
    in: { url: string; browserContextId: string; width: number; height: number };
    out: { readonly targetId: string };
  };
  'Target.attachToTarget': { in: { targetId: string; flatten: true }; out: { readonly sessionId: string } };
  'Target.setDiscoverTargets': { in: { discover: boolean }; out: object };
  'Target.closeTarget': { in: { targetId: string }; out: object };
  'Page.enable': { in: object; out: object };
  'Page.navigate': { in: { url: string }; out: { readonly frameId: string; readonly errorText?: string } };
  'Page.handleJavaScriptDialog': { in: { accept: boolean }; out: object };
  'Page.captureScreenshot': {
    in: { format: 'webp'; quality: number; optimizeForSpeed: boolean };
    out: { readonly data: string };
  };
  'Network.enable': { in: { maxTotalBufferSize: number; maxResourceBufferSize: number }; out: object };
  'Network.setBlockedURLs': { in: { urls: readonly string[] }; out: object };
  'Security.setIgnoreCertificateErrors': { in: { ignore: boolean }; out: object };
  'Emulation.setUserAgentOverride': { in: { userAgent: string } & Record<string, unknown>; out: object };
  'Emulation.setDeviceMetricsOverride': {
    in: { width: number; height: number; deviceScaleFactor: number; mobile: boolean };
    out: object;
  };
  'Emulation.setTouchEmulationEnabled': { in: { enabled: boolean }; out: object };
  'Emulation.setFocusEmulationEnabled': { in: { enabled: boolean }; out: object };
  'Emulation.setVirtualTimePolicy': { in: { policy: 'pauseIfNetworkFetchesPending'; budget: number }; out: object };
  'Input.dispatchMouseEvent': {
    in: { type: 'mouseMoved' | 'mouseWheel'; x: number; y: number; deltaX?: number; deltaY?: number };
    out: object;
  };
  'DOMSnapshot.captureSnapshot': {
    in: { computedStyles: readonly string[]; includeBlendedBackgroundColors: boolean };
    out: DomSnapshot;
  };
}

/** The events that visits use. */
export interface CdpEvents {
  'Target.targetCreated': { readonly targetInfo: TargetInfo };
  'Page.loadEventFired': object;
  'Page.frameNavigated': { readonly frame: FrameInfo };
  'Page.navigatedWithinDocument': { readonly frameId: string; readonly url: string };
  'Page.frameRequestedNavigation': { readonly frameId: string; readonly reason: string; readonly url: string };
  'Page.javascriptDialogOpening': { readonly type: string };
  'Inspector.targetCrashed': object;
  'Emulation.virtualTimeBudgetExpired': object;
  'Network.requestWillBeSent': {
    readonly requestId: string;
    readonly loaderId: string;
    readonly frameId?: string;
    readonly type?: string;
    readonly request: { readonly url: string };
    readonly redirectResponse?: ResponseInfo;
  };
  'Network.responseReceived': {
    readonly requestId: string;
    readonly frameId?: string;
    readonly type: string;
    readonly response: ResponseInfo;
  };
  'Network.loadingFinished': { readonly requestId: string };
  'Network.loadingFailed': { readonly requestId: string; readonly canceled?: boolean };
}

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly browserContextId?: string;
}

interface FrameInfo {
  readonly id: string;
  readonly parentId?: string;
  readonly url: string;
}

/** The head of an answer. */
export interface ResponseInfo {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer of `DOMSnapshot.captureSnapshot`: arrays that belong together by position, with indexes into `strings`. */
export interface DomSnapshot {
  readonly documents: readonly DocumentSnapshot[];
  readonly strings: readonly string[];
}

/** One document of a snapshot. An index of -1 stands for no text. */
export interface DocumentSnapshot {
  readonly documentURL: number;
  readonly baseURL: number;
  readonly frameId: number;
  readonly contentWidth?: number;
  readonly nodes: {
    readonly parentIndex: readonly number[];
    readonly nodeType: readonly number[];
    readonly shadowRootType: RareValues;
    readonly nodeName: readonly number[];
    readonly nodeValue: readonly number[];
    readonly attributes: readonly (readonly number[])[];
    readonly inputValue: RareValues;
    readonly textValue: RareValues;
    readonly contentDocumentIndex: RareValues;
  };
  readonly layout: {
    readonly nodeIndex: readonly number[];
    readonly styles: readonly (readonly number[])[];
    readonly bounds: readonly (readonly number[])[];
    readonly text: readonly number[];
    readonly blendedBackgroundColors?: readonly number[];
  };
}

/** Values that few nodes have. */
export interface RareValues {
  readonly index: readonly number[];
  readonly value?: readonly number[];
}

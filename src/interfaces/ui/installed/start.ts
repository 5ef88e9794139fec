// The installed page starts here and goes on to the page itself. The service worker is registered here because the policy
// of the page forbids it: registering takes a script by its address, which is a sink of Trusted Types.
const goOn = () => location.replace(`./${location.hash}`);

if ('serviceWorker' in navigator) navigator.serviceWorker.register('service-worker.js').then(goOn, goOn);
else goOn();

// Serves data-request-errors: the live region that says in words when an htmx request has failed.
const WORDS = {
  0: "The server did not answer. Check that it is running, then try again.",
  403: "Your sign-in changed since this page was opened. Reload the page and try again.",
  404: "This is no longer there. Reload the page to see what is.",
  413: "That is larger than the server accepts.",
};

const show = (text) => {
  const region = document.querySelector("[data-request-errors]");
  if (!region) return;
  const notice = document.createElement("li");
  notice.className = "notice";
  notice.dataset.level = "error";
  notice.dataset.fromRequest = "";
  notice.textContent = text;
  region.querySelector("[data-from-request]")?.remove();
  region.append(notice);
};

// A poller whose subject is gone would ask for ever: without the trigger it falls silent.
const silence = (element) => {
  if (element?.getAttribute("hx-trigger")?.startsWith("every")) element.removeAttribute("hx-get");
};

document.addEventListener("htmx:sendError", () => show(WORDS[0]));
document.addEventListener("htmx:timeout", () => show(WORDS[0]));
document.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  if (status === 403 || status === 404) silence(event.detail.elt);
  show(
    WORDS[status] ??
      `The server could not do this (error ${status}). Nothing was changed on this page.`,
  );
});
document.addEventListener("htmx:afterSwap", () => {
  document.querySelector("[data-request-errors] [data-from-request]")?.remove();
});

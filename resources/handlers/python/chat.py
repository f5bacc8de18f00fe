"""Answers chats of OpenAI clients. Its model is a few rules, which need no GPU: put yours into reply()."""

import json
import re
import time

import runpod

MODEL = "rules"


def reply(messages):
    """Yields the answer to a conversation piece by piece. Replace the body of this function with your model."""
    for piece in re.findall(r"\s*\S+", answer_to(messages)):
        time.sleep(0.04)
        yield piece


def answer_to(messages):
    asked = [text_of(message) for message in messages if message["role"] == "user"]
    message = asked[-1] if asked else ""
    found = re.search(r"(-?\d+(?:\.\d+)?)\s*([-+*])\s*(-?\d+(?:\.\d+)?)", message)
    if found:
        left, sign, right = float(found[1]), found[2], float(found[3])
        result = {"+": left + right, "-": left - right, "*": left * right}[sign]
        return f"{left:g} {sign.replace('*', '×')} {right:g} = **{result:.15g}**"
    if re.search(r"\b(count|how many)\b", message, re.I):
        return f"Your message has {count_words(message)} words. It is message {len(asked)} of this conversation."
    if re.search(r"\b(repeat|remember)\b|did i (say|write|ask)", message, re.I):
        return f"Before this, you wrote: {asked[-2]}" if len(asked) > 1 else "This is your first message."
    if re.search(r"\b(hello|hi|hey)\b", message, re.I):
        return "Hello! I can calculate, such as 6 * 7, count your words, and repeat what you wrote before."
    return (
        f"You wrote {count_words(message)} words. I am no language model, only a few rules in the handler of this "
        'endpoint. Try "6 * 7", "Count my words" or "What did I say?", and put your own model into the function `reply`.'
    )


def count_words(text):
    return len(text.split())


def text_of(message):
    """The text of a message. Its content is a text, or a list of parts."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def handler(job):
    route = job["input"].get("openai_route")
    if route == "/v1/models":
        yield {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "me"}]}
    elif route == "/v1/chat/completions":
        yield from chat(job["id"], job["input"]["openai_input"])
    elif route is None:
        raise TypeError("This handler answers OpenAI requests. Use Chat, or send openai_route and openai_input.")
    else:
        yield {"error": {"message": f"This handler has no route {route}.", "type": "not_found", "code": 404}}


def chat(job_id, request):
    """Yields the text of server-sent events if the client asked for a stream, and one object otherwise."""
    head = {"id": f"chatcmpl-{job_id}", "created": int(time.time()), "model": MODEL}

    def event(fields):
        return f"data: {json.dumps({**head, 'object': 'chat.completion.chunk', **fields})}\n\n"

    messages, stream, most = request["messages"], request.get("stream"), request.get("max_tokens")
    text, tokens, reason = "", 0, "stop"
    for piece in reply(messages):
        if tokens == most:
            reason = "length"
            break
        text += piece
        tokens += 1
        if stream:
            yield event({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
    asked = sum(count_words(text_of(message)) for message in messages)
    usage = {"prompt_tokens": asked, "completion_tokens": tokens, "total_tokens": asked + tokens}
    if stream:
        yield event({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        if (request.get("stream_options") or {}).get("include_usage"):
            yield event({"choices": [], "usage": usage})
        yield "data: [DONE]\n\n"
    else:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        yield {**head, "object": "chat.completion", "choices": [choice], "usage": usage}


runpod.serverless.start({"handler": handler, "return_aggregate_stream": True})

"""The SDK's check of a job's input against a schema: {name: {type, required, default, constraints}}."""


def validate(raw_input, schema):
    """{"validated_input": {...}} with defaults filled in, or {"errors": [...]}."""
    errors = [f"Unexpected input. {name} is not a valid input option." for name in raw_input if name not in schema]
    validated = dict(raw_input)
    for name, rules in schema.items():
        if "type" not in rules:
            errors.append(f"Schema error, missing type for {name}.")
            continue
        if name not in validated:
            if rules.get("required"):
                errors.append(f"{name} is a required input.")
                continue
            if "default" not in rules:
                continue
            validated[name] = rules["default"]
        value = validated[name]
        if rules["type"] is float and type(value) is int:
            value = validated[name] = float(value)
        # An optional input that is left out may have None as its default.
        if value is None and not rules.get("required"):
            continue
        if not isinstance(value, rules["type"]):
            errors.append(f"{name} should be {rules['type']} type, not {type(value)}.")
        elif "constraints" in rules and not rules["constraints"](value):
            errors.append(f"{name} does not meet the constraints.")
    return {"errors": errors} if errors else {"validated_input": validated}
